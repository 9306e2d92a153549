import { parseDate } from '@internationalized/date'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { viewerZone, zoneLabel } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { phoneWidth, useMediaQuery } from '../../lib/use-media-query.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { gridCode } from '../calendar/calendar-code.ts'
import { EndangeredAlert } from '../social/endangered-alert.tsx'
import { useEndangered } from '../social/endangered.ts'
import { CalendarDayDialog } from './calendar-day-dialog.tsx'
import { legend, markWords, postNouns, withEndangered, type CalendarEntry } from './calendar-entries.ts'
import { entryMarkup } from './calendar-markup.ts'
import { useKeptStanding } from '../calendar/calendar-kept.ts'
import { CalendarLegend, CalendarMarks } from '../calendar/calendar-marks.tsx'
import { CalendarFilterBar } from './calendar-filter-bar.tsx'
import { filterEntries, isFiltered, type CalendarFilter } from './calendar-filter.ts'
import { NothingHere, NothingMatches } from './calendar-nothing.tsx'
import { CalendarPhone, daysOnPhone } from '../calendar/calendar-phone.tsx'
import { DayList, PostList } from './calendar-post-list.tsx'
import { postsCalendar, useCalendarPosts } from './calendar-posts.ts'
import { currentDay, turn, visibleDays } from '../calendar/calendar-range.ts'
import { GridGhost, ListGhost } from '../calendar/calendar-skeleton.tsx'
import { CalendarToolbar } from '../calendar/calendar-toolbar.tsx'
import { useMovePost } from './use-move-post.ts'
import { ScheduledPostDialog } from './scheduled-post-dialog.tsx'
import styles from './scheduled-posts-screen.module.css'

export type ScheduledPostsScreenProps = {
  /** A post the address names: it is opened. */
  linked: string | undefined
  onUnlink: () => void
  filter: CalendarFilter
  onFilter: (filter: CalendarFilter) => void
}

/** The calendar of scheduled, posted and failed posts (spec 2). */
export function ScheduledPostsScreen({ linked, onUnlink, filter, onFilter }: ScheduledPostsScreenProps) {
  const phone = useMediaQuery(phoneWidth)
  const { view, day, stand } = useKeptStanding(postsCalendar)
  const days = phone ? daysOnPhone(view, day) : visibleDays(view, day)
  const posts = useCalendarPosts(days)
  const { network, status } = filter
  const endangered = useEndangered()
  const entries = useMemo(
    () => withEndangered(filterEntries(posts.entries, { network, status }), new Set(endangered.flatMap((account) => account.ids))),
    [posts.entries, network, status, endangered],
  )
  const past = days.to.compare(currentDay()) <= 0
  const [opened, setOpened] = useState<{ entry: Pick<CalendarEntry, 'id' | 'status'>; open: boolean; times: number }>()
  const [followed, setFollowed] = useState<string>()
  if (linked !== followed) {
    setFollowed(linked)
    if (linked !== undefined) setOpened((before) => ({ entry: { id: linked, status: 'posted' }, open: true, times: (before?.times ?? 0) + 1 }))
  }
  const dragging = useMovePost(posts.entries)
  const [listed, setListed] = useState<{ day: string; open: boolean }>()
  const needsGrid = !phone && view !== 'agenda'
  const grid = useQuery({ ...gridCode, enabled: needsGrid })
  const Grid = grid.data

  const closePost = () => {
    setOpened((before) => before && { ...before, open: false })
    if (linked !== undefined) onUnlink()
  }
  const open = (id: string) => {
    const entry = posts.entries.find((one) => one.id === id)
    if (entry) setOpened((before) => ({ entry, open: true, times: (before?.times ?? 0) + 1 }))
  }
  const openDay = (date: string) => {
    setListed((before) => before && { ...before, open: false })
    stand({ view: 'day', day: parseDate(date) })
  }
  const turnPage = (by: -1 | 1) => stand({ day: turn(view, day, by) })
  const error = posts.error ?? (needsGrid ? grid.error : null)
  const failure = error && failureOf(error, 'Your posts could not be loaded')
  const isEmpty = !posts.loading && !failure && entries.length === 0
  const nothing = (look?: 'bare') => (isFiltered(filter) ? <NothingMatches look={look} onShowAll={() => onFilter({})} /> : <NothingHere past={past} look={look} />)

  return (
    <div className={styles['screen']}>
      <CalendarMarks />
      <CalendarToolbar view={view} day={day} onStand={stand} onExpect={posts.expect} phone={phone} />
      <div className={styles['notes']}>
        <CalendarLegend states={entries.some((entry) => entry.endangered) ? [...legend, 'endangered' as const] : legend} words={markWords} />
        <CalendarFilterBar filter={filter} onFilter={onFilter} />
      </div>
      <ZoneNote />
      {endangered.map((account) => (
        <EndangeredAlert key={account.socialAccountId} account={account} />
      ))}
      {posts.stopped && (
        <Alert
          tone="warning"
          live
          title="The connection was lost, so what you see may be old."
          action={
            <Button size="small" onPress={posts.again}>
              Try again
            </Button>
          }
        />
      )}
      {failure ? (
        <Alert
          tone="danger"
          live
          title={failure.message}
          action={
            <Button
              size="small"
              onPress={() => {
                posts.retry()
                if (grid.isError) void grid.refetch()
              }}
            >
              Try again
            </Button>
          }
        >
          {failure.detail}
        </Alert>
      ) : phone && view !== 'agenda' ? (
        <CalendarPhone
          view={view}
          day={day}
          entries={entries}
          states={legend}
          nouns={postNouns}
          timeZone={viewerZone()}
          loading={posts.loading}
          list={(entries) => <PostList entries={entries} onOpen={open} onApproach={posts.approach} />}
          days={(entries, key) => <DayList key={key} entries={entries} onOpen={open} onApproach={posts.approach} />}
          nothing={nothing()}
          onDay={(next) => stand({ day: next })}
          onOpenDay={openDay}
          onTurn={turnPage}
        />
      ) : view === 'agenda' ? (
        posts.loading ? (
          <ListGhost label="Loading posts" />
        ) : isEmpty ? (
          nothing()
        ) : (
          <DayList key={day.toString()} entries={entries} onOpen={open} onApproach={posts.approach} />
        )
      ) : (
        <div className={styles['sheet']}>
          {Grid ? (
            <Grid
              view={view}
              day={day}
              entries={entries}
              markup={entryMarkup}
              nouns={postNouns}
              timeZone={viewerZone()}
              loading={posts.loading}
              onOpen={open}
              onApproach={posts.approach}
              onMore={(date) => setListed({ day: date, open: true })}
              onOpenDay={openDay}
              onTurn={turnPage}
              dragging={dragging}
            />
          ) : (
            <GridGhost view={view} day={day} label="Loading posts" />
          )}
          {isEmpty && (
            <div className={styles['nothing']}>
              {nothing('bare')}
            </div>
          )}
        </div>
      )}
      {/* Below the calendar: it comes with the posts, and must not push them down. */}
      {needsGrid && entries.some((entry) => entry.status === 'scheduled') && (
        <p className={styles['zone']}>Drag a scheduled post to another day or hour (by finger: hold it first), or press Alt and an arrow key on it.</p>
      )}
      {listed && (
        <CalendarDayDialog
          day={listed.day}
          open={listed.open}
          onClose={() => setListed({ ...listed, open: false })}
          entries={entries}
          onOpen={open}
          onApproach={posts.approach}
          onOpenDay={openDay}
        />
      )}
      {opened && <ScheduledPostDialog key={opened.times} entry={opened.entry} open={opened.open} onClose={closePost} />}
    </div>
  )
}

/** In which zone times are read, where that is not the studio's. */
function ZoneNote() {
  const studio = trpc.auth.studioZone.useQuery(undefined, { staleTime: Infinity }).data?.timeZone
  const viewer = viewerZone()
  if (!studio || clockOf(studio) === clockOf(viewer)) return null
  return (
    <p className={styles['zone']}>
      Times are in your time zone, {zoneLabel(viewer)}. Your studio is on {zoneLabel(studio)}.
    </p>
  )
}

/** What a zone's clock says: two names of one clock need no word. */
function clockOf(timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'short', timeStyle: 'short', timeZone }).format()
}
