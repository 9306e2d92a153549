import { ContactInput, NoticeIds, NoticeMailChoice, NoticesUntil } from '@flashsheet/contracts/notices/schema'
import { publicProcedure, router, verifiedProcedure } from '../../core/procedures.ts'
import { chooseNoticeMail, contact, listNotices, noticeMails, readNotices, watchNotices } from './service.ts'

export const noticesRouter = router({
  list: verifiedProcedure('never').query(({ ctx }) => listNotices(ctx)),
  watch: verifiedProcedure('never').subscription(({ ctx, signal }) =>
    watchNotices(ctx, signal ?? new AbortController().signal),
  ),
  read: verifiedProcedure('never')
    .input(NoticeIds)
    .mutation(({ ctx, input }) => readNotices(ctx, input)),
  readAll: verifiedProcedure('never')
    .input(NoticesUntil)
    .mutation(({ ctx, input }) => readNotices(ctx, input)),
  contact: publicProcedure('never')
    .input(ContactInput)
    .mutation(({ ctx, input }) => contact(ctx, input)),
  mails: verifiedProcedure('never').query(({ ctx }) => noticeMails(ctx)),
  chooseMail: verifiedProcedure('never')
    .input(NoticeMailChoice)
    .mutation(({ ctx, input }) => chooseNoticeMail(ctx, input)),
})
