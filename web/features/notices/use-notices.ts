import type { NoticeList } from '@flashsheet/contracts/notices/schema'
import { useState } from 'react'
import { trpc } from '../../lib/trpc.ts'
import { usePageVisible } from '../../lib/use-page-visible.ts'

export type Notices = {
  list: NoticeList | undefined
  error: unknown
  retry: () => void
  /** The announcement of a new notice for screen readers; empty without one. */
  news: string
}

/** The notices, updated live while the window is visible. */
export function useNotices(): Notices {
  const utils = trpc.useUtils()
  const visible = usePageVisible()
  const known = trpc.notices.list.useQuery(undefined, { staleTime: 30_000, gcTime: Infinity })
  const [news, setNews] = useState('')
  trpc.notices.watch.useSubscription(undefined, {
    enabled: visible,
    onData: (list) => {
      setNews(newsIn(utils.notices.list.getData(), list))
      utils.notices.list.setData(undefined, list)
    },
  })
  return { list: known.data, error: known.error, retry: () => void known.refetch(), news }
}

/** The title of the newest notice if it was not in the list before; empty otherwise. */
function newsIn(before: NoticeList | undefined, after: NoticeList): string {
  const [newest] = after.notices
  if (!before || !newest || newest.readAt !== null) return ''
  return before.notices.some((notice) => notice._id === newest._id) ? '' : newest.title
}
