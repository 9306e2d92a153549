import { ContactInput, NoticeIds, NoticeMailChoice, NoticesUntil } from '@flashsheet/contracts/notices/schema'
import { publicProcedure, router, verifiedProcedure } from '../../core/procedures.ts'
import { chooseNoticeMail, contact, listNotices, noticeMails, readNotices, watchNotices } from './service.ts'

export const noticesRouter = router({
  list: verifiedProcedure.query(({ ctx }) => listNotices(ctx)),
  watch: verifiedProcedure.subscription(({ ctx, signal }) => watchNotices(ctx, signal ?? new AbortController().signal)),
  read: verifiedProcedure.input(NoticeIds).mutation(({ ctx, input }) => readNotices(ctx, input)),
  readAll: verifiedProcedure.input(NoticesUntil).mutation(({ ctx, input }) => readNotices(ctx, input)),
  contact: publicProcedure.input(ContactInput).mutation(({ ctx, input }) => contact(ctx, input)),
  mails: verifiedProcedure.query(({ ctx }) => noticeMails(ctx)),
  chooseMail: verifiedProcedure.input(NoticeMailChoice).mutation(({ ctx, input }) => chooseNoticeMail(ctx, input)),
})
