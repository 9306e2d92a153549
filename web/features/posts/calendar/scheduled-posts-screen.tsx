import { zoneLabel } from '@flashsheet/contracts/time'
import { useNavigate } from '@tanstack/react-router'
import { CalendarPlus, ListFilter, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { viewerZone } from '../../../lib/format.ts'
import { useSessionUser } from '../../../lib/session.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { useStudioZone } from '../../parts/use-studio-zone.ts'
import { useIsMounted } from '../../../lib/use-is-mounted.ts'
import { useDialog } from '../../../lib/use-dialog.ts'
import { Button } from '../../../ui/button.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { EndangeredNote } from '../../social/endangered-alert.tsx'
import { useEndangered } from '../../social/endangered.ts'
import { dotOrder, legendOf, postNouns, iconLabels, withEndangered } from './calendar-entries.ts'
import { entryMarkup } from './calendar-markup.ts'
import type { EmptyCell } from '../../calendar/calendar-entry.ts'
import { draftOf } from '../draft/draft-store.ts'
import { cellTime, markPlannedTime, planAt } from '../draft/plan-at.ts'
import { CalendarLegend } from '../../calendar/calendar-status-icons.tsx'
import { CalendarFilterBar } from './calendar-filter-bar.tsx'
import { filterEntries, isFiltered, type CalendarFilter } from './calendar-filter.ts'
import { PostList } from './calendar-post-list.tsx'
import { postsCalendar, useCalendarPosts } from './calendar-posts.ts'
import { currentDay } from '../../calendar/calendar-range.ts'
import { CalendarScreen, useCalendarPosition } from '../../calendar/calendar-screen.tsx'
import { useMovePost } from './use-move-post.ts'
import { ScheduledPostDialog, type ScheduledPostDialogProps } from './scheduled-post-dialog.tsx'
import text from '../../../ui/text.module.css'

export type ScheduledPostsScreenProps = {
  /** The id of the post in the URL, whose dialog is opened. */
  linked: string | undefined
  onUnlink: () => void
  filter: CalendarFilter
  onFilter: (filter: CalendarFilter) => void
}

/** The calendar of scheduled, posted and failed posts. */
export function ScheduledPostsScreen({ linked, onUnlink, filter, onFilter }: ScheduledPostsScreenProps) {
  const position = useCalendarPosition(postsCalendar, viewerZone())
  const { days } = position
  const posts = useCalendarPosts(days)
  const { network, status } = filter
  const endangered = useEndangered()
  const entries = useMemo(
    () =>
      withEndangered(
        filterEntries(posts.entries, { network, status }),
        new Set(endangered.flatMap((account) => account.ids)),
      ),
    [posts.entries, network, status, endangered],
  )
  const isPast = days.to.compare(currentDay()) <= 0
  const postDialog = useDialog<ScheduledPostDialogProps['entry']>()
  const [lastLinked, setFollowed] = useState<string>()
  if (linked !== lastLinked) {
    setFollowed(linked)
    if (linked !== undefined) postDialog.show({ id: linked })
  }
  const isMounted = useIsMounted()
  const dragging = useMovePost(posts.entries)

  const user = useSessionUser()
  const navigate = useNavigate()
  /** Opens the composer with the time of a calendar cell. */
  const plan = ({ day, minutes }: EmptyCell) => {
    if (!user) return
    const at = cellTime(day, minutes, new Date())
    draftOf(user._id).update((draft) => planAt(draft, at.toISOString(), newUuid()))
    markPlannedTime()
    void navigate({ to: '/new-post' })
  }

  const closePost = () => {
    postDialog.close()
    // A save may end after the screen was left.
    if (linked !== undefined && isMounted()) onUnlink()
  }
  const emptyState = (variant: 'framed' | 'bare' = 'framed') =>
    isFiltered(filter) ? (
      <EmptyState
        variant={variant}
        icon={<ListFilter />}
        title="Nothing matches"
        action={<Button onPress={() => onFilter({})}>Show all posts</Button>}
      >
        <p>No post here matches the network and status you picked.</p>
      </EmptyState>
    ) : (
      <EmptyState
        variant={variant}
        icon={<CalendarPlus />}
        title={isPast ? 'No posts in this period' : 'Nothing planned yet'}
        action={
          <ButtonLink to="/new-post" variant="primary" icon={<Plus />}>
            New post
          </ButtonLink>
        }
      >
        <p>The posts you schedule show up here, and so does everything that went out.</p>
      </EmptyState>
    )
  const open = (id: string) => {
    const entry = posts.entries.find((one) => one.id === id)
    if (entry) postDialog.show(entry)
  }

  return (
    <CalendarScreen
      {...posts}
      position={position}
      entries={entries}
      timeZone={viewerZone()}
      nouns={postNouns}
      states={dotOrder}
      legend={<CalendarLegend states={legendOf(entries)} labels={iconLabels} />}
      markup={entryMarkup}
      dragging={dragging}
      list={(some) => <PostList entries={some} onOpen={open} onPreload={posts.preload} />}
      emptyState={emptyState}
      onOpen={open}
      onPlan={plan}
      onPreload={posts.preload}
      actions={<CalendarFilterBar filter={filter} onFilter={onFilter} />}
      notes={
        <>
          <ZoneNote />
          <EndangeredNote accounts={endangered} />
        </>
      }
    >
      {/* Below the calendar, because it appears with the posts and must not push them down. */}
      {position.needsGrid && entries.some((entry) => entry.status === 'scheduled') && (
        <p className={text['note']}>
          Drag a scheduled post to another day or hour (by finger: hold it first), or press Alt and an arrow key on it.
        </p>
      )}
      {postDialog.about && (
        <ScheduledPostDialog key={postDialog.key} entry={postDialog.about} open={postDialog.open} onClose={closePost} />
      )}
    </CalendarScreen>
  )
}

function ZoneNote() {
  const studio = useStudioZone().data?.timeZone
  const viewer = viewerZone()
  if (!studio || timeIn(studio) === timeIn(viewer)) return null
  return (
    <p className={text['note']}>
      Times are in your time zone, {zoneLabel(viewer)}. Your studio is on {zoneLabel(studio)}.
    </p>
  )
}

/** The current time in a zone. Two zones with the same time need no note. */
function timeIn(timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'short', timeStyle: 'short', timeZone }).format()
}
