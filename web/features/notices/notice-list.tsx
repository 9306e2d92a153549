import { noticeMessages } from '@flashsheet/contracts/notices/messages'
import type { Notice, NoticeList } from '@flashsheet/contracts/notices/schema'
import type { NoticeKind } from '@flashsheet/contracts/notices/limits'
import { useRouter } from '@tanstack/react-router'
import {
  Bell,
  Bot,
  CalendarCheck,
  Check,
  CircleCheck,
  CreditCard,
  Hourglass,
  Webhook,
  TriangleAlert,
  Unplug,
  type LucideIcon,
} from 'lucide-react'
import type { MouseEvent } from 'react'
import { formatScheduled } from '../../lib/format.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { classes } from '../../ui/classes.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useSettling } from '../../ui/use-settling.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import text from '../../ui/text.module.css'
import styles from './notice-list.module.css'
import type { Notices } from './use-notices.ts'
import { PendingQuery } from '../parts/pending-query.tsx'

const icons: Record<NoticeKind, LucideIcon> = {
  post_failed: TriangleAlert,
  account_reconnect: Unplug,
  appointment: CalendarCheck,
  billing: CreditCard,
  post_posted: CircleCheck,
  post_waiting: Hourglass,
  webhook_disabled: Webhook,
  assistant_connected: Bot,
}
const urgentKinds: readonly NoticeKind[] = ['post_failed', 'account_reconnect']

/** Marks notices as read on the server, and shows its answer in this window at once. */
export function useMarkNoticesRead() {
  const utils = trpc.useUtils()
  const handlers = {
    onSuccess: (list: NoticeList) => {
      utils.notices.list.setData(undefined, list)
    },
    onError: (error: unknown) => toastFailure(error, noticeMessages.readFailed),
  }
  return { read: trpc.notices.read.useMutation(handlers), readAll: trpc.notices.readAll.useMutation(handlers) }
}

/** The newest notices. `onNavigate` is called when a link of a notice is followed. */
export function NoticeItems({ query, onNavigate }: { query: Notices['query']; onNavigate: () => void }) {
  const { read } = useMarkNoticesRead()
  const list = query.data
  // The button that marks a notice as read disappears, so that a second press would follow the link below it.
  const settling = useSettling(list?.unread)
  if (!list) {
    return (
      <PendingQuery query={query} label="Loading notices" failed={noticeMessages.loadFailed}>
        <div className={styles['ghost']}>
          <Skeleton width="half" />
          <Skeleton />
          <Skeleton width="third" />
        </div>
      </PendingQuery>
    )
  }
  if (list.notices.length === 0) {
    return (
      <EmptyState variant="bare" icon={<Bell />} title="No notices">
        <p>If a post fails or an account needs to be reconnected, you will see it here.</p>
      </EmptyState>
    )
  }
  return (
    <ul data-settling={settling}>
      {list.notices.map((notice) => (
        <NoticeItem
          key={notice._id}
          notice={notice}
          onFollow={() => {
            if (notice.readAt === null) read.mutate({ ids: [notice._id] })
            onNavigate()
          }}
          onRead={() => read.mutate({ ids: [notice._id] })}
        />
      ))}
    </ul>
  )
}

function NoticeItem({ notice, onFollow, onRead }: { notice: Notice; onFollow: () => void; onRead: () => void }) {
  const router = useRouter()
  const Icon = icons[notice.kind]
  const isUnread = notice.readAt === null
  const follow = (event: MouseEvent) => {
    onFollow()
    // The browser opens a new tab or window itself.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    router.history.push(notice.link)
  }
  return (
    <li className={classes(styles['item'], isUnread && styles['unread'])}>
      <a href={notice.link} className={styles['link']} onClick={follow}>
        <Icon className={classes(styles['icon'], urgentKinds.includes(notice.kind) && styles['urgent'])} />
        <span className={styles['words']}>
          <span className={styles['title']}>
            {isUnread && <VisuallyHidden>Unread: </VisuallyHidden>}
            {notice.title}
          </span>
          <span className={classes(text['note'], styles['text'])}>{notice.text}</span>
          <span className={styles['foot']}>
            <span className={styles['action']}>{notice.action}</span>
            <time dateTime={notice.createdAt}>{formatScheduled(notice.createdAt)}</time>
          </span>
        </span>
      </a>
      {isUnread && (
        <span className={styles['mark']}>
          <IconButton
            // Several notices may have the same title.
            label={`Mark as read: ${notice.title}, ${formatScheduled(notice.createdAt)}`}
            size="small"
            onPress={({ target }) => {
              // The button is about to be removed, so the focus moves to the notice.
              target.closest('li')?.querySelector('a')?.focus()
              onRead()
            }}
          >
            <Check />
          </IconButton>
        </span>
      )}
    </li>
  )
}
