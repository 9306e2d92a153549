import { ContactInput, NoticeIds, NoticeMailChoice, NoticesUntil } from '@flashsheet/contracts/notices/schema'
import { publicProcedure, router, verifiedProcedure } from '../../core/procedures.ts'
import { chooseNoticeMail, contact, listNotices, noticeMails, readNotices, watchNotices } from './service.ts'

const verified = verifiedProcedure('never')

export const noticesRouter = router({
  list: verified.query(({ ctx }) => listNotices(ctx)),
  watch: verified.subscription(({ ctx, signal }) => watchNotices(ctx, signal ?? new AbortController().signal)),
  read: verified.input(NoticeIds).mutation(({ ctx, input }) => readNotices(ctx, input)),
  readAll: verified.input(NoticesUntil).mutation(({ ctx, input }) => readNotices(ctx, input)),
  contact: publicProcedure('never')
    .input(ContactInput)
    .mutation(({ ctx, input }) => contact(ctx, input)),
  mails: verified.query(({ ctx }) => noticeMails(ctx)),
  chooseMail: verified.input(NoticeMailChoice).mutation(({ ctx, input }) => chooseNoticeMail(ctx, input)),
})
