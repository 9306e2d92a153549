import { ContactInput, NoticeIds, NoticeMailChoice, NoticesUntil } from '@flashsheet/contracts/notices/schema'
import { call, publicProcedure, router, verifiedProcedure } from '../../core/procedures.ts'
import { setNoticeMail, sendContactMessage, listNotices, getNoticeMails, markAsRead, watchNotices } from './service.ts'

const verified = verifiedProcedure('never')

export const noticesRouter = router({
  list: verified.query(call(listNotices)),
  watch: verified.subscription(({ ctx, signal }) => watchNotices(ctx, signal ?? new AbortController().signal)),
  read: verified.input(NoticeIds).mutation(call(markAsRead)),
  readAll: verified.input(NoticesUntil).mutation(call(markAsRead)),
  contact: publicProcedure('never').input(ContactInput).mutation(call(sendContactMessage)),
  mails: verified.query(call(getNoticeMails)),
  chooseMail: verified.input(NoticeMailChoice).mutation(call(setNoticeMail)),
})
