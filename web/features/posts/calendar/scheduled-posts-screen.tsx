import { zoneLabel } from '@flashsheet/contracts/time'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { viewerZone } from '../../../lib/format.ts'
import { useSessionUser } from '../../../lib/session.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useDialog } from '../../../lib/use-dialog.ts'
import { EndangeredNote } from '../../social/endangered-alert.tsx'
import { useEndangered } from '../../social/endangered.ts'
import { dotted, legendOf, postNouns, signWords, withEndangered } from './calendar-entries.ts'
import { entryMarkup } from './calendar-markup.ts'
import type { FreePlace } from '../../calendar/calendar-entry.ts'
import { draftOf } from '../draft/draft-store.ts'
import { cellTime, markPlannedTime, planAt } from '../draft/plan-at.ts'
import { CalendarLegend } from '../../calendar/calendar-status-icons.tsx'
import { CalendarFilterBar } from './calendar-filter-bar.tsx'
import { filterEntries, isFiltered, type CalendarFilter } from './calendar-filter.ts'
import { NoPosts, NoMatchingPosts } from './calendar-empty.tsx'
import { DayList, PostList } from './calendar-post-list.tsx'
import { postsCalendar, useCalendarPosts } from './calendar-posts.ts'
import { currentDay } from '../../calendar/calendar-range.ts'
import { CalendarScreen, useCalendarPosition } from '../../calendar/calendar-screen.tsx'
import { useMovePost } from './use-move-post.ts'
import { ScheduledPostDialog, type ScheduledPostDialogProps } from './scheduled-post-dialog.tsx'
import text from '../../../ui/text.module.css'

export type ScheduledPostsScreenProps = {
  /** The post of the address, shown in its dialog. */
  linked: string | undefined
  onUnlink: () => void
  filter: CalendarFilter
  onFilter: (filter: CalendarFilter) => void
}

/** The calendar of scheduled, posted and failed posts. */
export function ScheduledPostsScreen({ linked, onUnlink, filter, onFilter }: ScheduledPostsScreenProps) {
  const position = useCalendarPosition(postsCalendar)
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
  const past = days.to.compare(currentDay()) <= 0
  const opened = useDialog<ScheduledPostDialogProps['entry']>()
  const [followed, setFollowed] = useState<string>()
  if (linked !== followed) {
    setFollowed(linked)
    if (linked !== undefined) opened.show({ id: linked })
  }
  const dragging = useMovePost(posts.entries)

  const user = useSessionUser()
  const navigate = useNavigate()
  /** Opens the composer with the time of a calendar cell. */
  const plan = ({ day, minutes }: FreePlace) => {
    if (!user) return
    const at = cellTime(day, minutes, new Date())
    draftOf(user._id).update((draft) => planAt(draft, at.toISOString(), newUuid()))
    markPlannedTime()
    void navigate({ to: '/new-post' })
  }

  const closePost = () => {
    opened.close()
    if (linked !== undefined) onUnlink()
  }
  const open = (id: string) => {
    const entry = posts.entries.find((one) => one.id === id)
    if (entry) opened.show(entry)
  }

  return (
    <CalendarScreen
      position={position}
      entries={entries}
      timeZone={viewerZone()}
      loading={posts.loading}
      error={posts.error}
      onRetry={posts.retry}
      stopped={posts.stopped}
      onAgain={posts.again}
      nouns={postNouns}
      states={dotted}
      legend={<CalendarLegend states={legendOf(entries)} words={signWords} />}
      markup={entryMarkup}
      dragging={dragging}
      list={(some) => <PostList entries={some} onOpen={open} onApproach={posts.approach} />}
      dayList={(some, key) => <DayList key={key} entries={some} onOpen={open} onApproach={posts.approach} />}
      nothing={(look) =>
        isFiltered(filter) ? (
          <NoMatchingPosts look={look} onShowAll={() => onFilter({})} />
        ) : (
          <NoPosts past={past} look={look} />
        )
      }
      onOpen={open}
      onFree={plan}
      onApproach={posts.approach}
      onExpect={posts.expect}
      side={<CalendarFilterBar filter={filter} onFilter={onFilter} />}
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
      {opened.about && (
        <ScheduledPostDialog key={opened.key} entry={opened.about} open={opened.open} onClose={closePost} />
      )}
    </CalendarScreen>
  )
}

function ZoneNote() {
  const studio = trpc.auth.studioZone.useQuery(undefined, { staleTime: Infinity }).data?.timeZone
  const viewer = viewerZone()
  if (!studio || clockOf(studio) === clockOf(viewer)) return null
  return (
    <p className={text['note']}>
      Times are in your time zone, {zoneLabel(viewer)}. Your studio is on {zoneLabel(studio)}.
    </p>
  )
}

/** The current time of a zone: two zones with the same time need no note. */
function clockOf(timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'short', timeStyle: 'short', timeZone }).format()
}
