import { NoticeIds } from '@flashsheet/contracts/notices'
import { router, verifiedProcedure } from '../../core/procedures.ts'
import { listNotices, readNotices } from './service.ts'

export const noticesRouter = router({
  list: verifiedProcedure.query(({ ctx }) => listNotices(ctx)),
  read: verifiedProcedure.input(NoticeIds).mutation(({ ctx, input }) => readNotices(ctx, input)),
})
