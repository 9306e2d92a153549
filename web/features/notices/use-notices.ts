import type { NoticeList } from '@flashsheet/contracts/notices/schema'
import { useState } from 'react'
import { trpc } from '../../lib/trpc.ts'

export type Notices = ReturnType<typeof useNotices>

/** The notices, updated live while the window is visible. */
export function useNotices() {
  const utils = trpc.useUtils()
  const query = trpc.notices.list.useQuery(undefined, { staleTime: 30_000, gcTime: Infinity })
  const [newTitle, setNewTitle] = useState('')
  trpc.notices.watch.useSubscription(undefined, {
    onData: (list) => {
      setNewTitle(titleOfNew(utils.notices.list.getData(), list))
      utils.notices.list.setData(undefined, list)
    },
  })
  return {
    query,
    /** The title of a new notice, to be announced by screen readers; empty without one. */
    newTitle,
  }
}

/** The title of the newest notice if it was not in the list before; empty otherwise. */
function titleOfNew(before: NoticeList | undefined, after: NoticeList): string {
  const [newest] = after.notices
  if (!before || !newest || newest.readAt !== null) return ''
  return before.notices.some((notice) => notice._id === newest._id) ? '' : newest.title
}
