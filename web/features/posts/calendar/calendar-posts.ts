import { calendarPost } from '@flashsheet/contracts/posts/rules'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { CalendarInput, type CalendarPost, type PostsChange } from '@flashsheet/contracts/posts/schema'
import { useQueries, useQueryClient, type QueryClient, type UseQueryResult } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useMemo, useState } from 'react'
import { viewerZone } from '../../../lib/format.ts'
import type { LiveContext } from '../../../lib/router-context.ts'
import { trpc, trpcClient, type QueryUtils } from '../../../lib/trpc.ts'
import { applyChange, type CalendarChange } from './calendar-change.ts'
import { startsWithGrid, calendarGridQuery } from '../../calendar/lazy-calendar-grid.ts'
import type { CalendarData } from '../../calendar/calendar-screen.tsx'
import { entriesOf, type CalendarEntry } from './calendar-entries.ts'
import { savedCalendarView } from '../../calendar/saved-calendar-view.ts'
import { instantsOf, visibleDays, weeksOver, type DayRange } from '../../calendar/calendar-range.ts'

/** Storage key of the view and day. */
export const postsCalendar = 'scheduled-posts'

/** All posts of a span. The number of posts in a response is limited, so a full response is requested again in halves. */
async function postsIn(client: typeof trpcClient, span: CalendarInput, signal: AbortSignal): Promise<CalendarPost[]> {
  const posts = await client.posts.calendar.query(span, { signal })
  const from = Date.parse(span.from)
  const to = Date.parse(span.to)
  if (posts.length < postLimits.calendarMax || to - from < 1000) return posts
  const middle = new Date(Math.floor((from + to) / 2)).toISOString()
  const halves = await Promise.all([
    postsIn(client, { from: span.from, to: middle }, signal),
    postsIn(client, { from: middle, to: span.to }, signal),
  ])
  return halves.flat()
}

/** Posts are cached by week, so that another view does not request them again. */
function weekQuery(client: typeof trpcClient, week: DayRange) {
  const span = instantsOf(week, viewerZone())
  return {
    queryKey: getQueryKey(trpc.posts.calendar, span, 'query'),
    queryFn: async ({ signal }: { signal: AbortSignal }) => await postsIn(client, span, signal),
  }
}

/** Preloads the first view before its screen renders. */
export function loadCalendar({ queryClient }: Pick<LiveContext, 'queryClient'>): void {
  const { view, day } = savedCalendarView(postsCalendar, viewerZone())
  for (const week of weeksOver(visibleDays(view, day))) void queryClient.prefetchQuery(weekQuery(trpcClient, week))
  if (startsWithGrid(postsCalendar)) void queryClient.prefetchQuery(calendarGridQuery)
}

/** Applies a change to the cached weeks and single posts. */
export function applyPostsChange(
  queryClient: QueryClient,
  utils: { posts: Pick<QueryUtils['posts'], 'get'> },
  change: Pick<PostsChange, 'posts' | 'gone'>,
): void {
  updateCachedWeeks(queryClient, { posts: change.posts.map(calendarPost), gone: change.gone })
  for (const post of change.posts) utils.posts.get.setData({ postId: post._id }, (known) => known && post)
  void queryClient.invalidateQueries({ queryKey: getQueryKey(trpc.posts.endangered) })
}

/** Moves a post in the cache, before the server confirms it. */
export function moveCachedPost(queryClient: QueryClient, postId: string, scheduledAt: string): void {
  const lists = queryClient.getQueriesData<readonly CalendarPost[]>({ queryKey: getQueryKey(trpc.posts.calendar) })
  const post = lists.flatMap(([, list]) => list ?? []).find((one) => one._id === postId)
  if (post) updateCachedWeeks(queryClient, { posts: [{ ...post, scheduledAt }], gone: [] })
}

function updateCachedWeeks(queryClient: QueryClient, change: CalendarChange): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: getQueryKey(trpc.posts.calendar) })) {
    const span = spanOf(query.queryKey[1])
    if (span)
      queryClient.setQueryData<readonly CalendarPost[]>(
        query.queryKey,
        (list) => list && applyChange(list, span, change),
      )
  }
}

/** The span of a cached list, from its query key. */
function spanOf(keyed: unknown): CalendarInput | undefined {
  return CalendarInput.safeParse(
    typeof keyed === 'object' && keyed !== null && 'input' in keyed ? keyed.input : undefined,
  ).data
}

export type CalendarPosts = CalendarData<CalendarEntry> & { preload: (id: string) => void }

const none: readonly CalendarPost[] = []

function combineWeeks(results: readonly UseQueryResult<CalendarPost[]>[]) {
  const missing = results.filter((result) => result.data === undefined)
  return {
    weeks: results.map((result) => result.data ?? none),
    loading: missing.some((result) => result.fetchStatus === 'fetching' || result.status === 'pending'),
    error: missing.find((result) => result.status === 'error')?.error ?? null,
  }
}

/** The posts of these days, updated live. */
export function useCalendarPosts(days: DayRange): CalendarPosts {
  const queryClient = useQueryClient()
  const utils = trpc.useUtils()
  const { weeks, loading, error } = useQueries({
    queries: weeksOver(days).map((week) => weekQuery(utils.client, week)),
    combine: combineWeeks,
  })

  const span = instantsOf(days, viewerZone())
  const from = Date.parse(span.from)
  const to = Date.parse(span.to)
  const [shown, setShown] = useState<readonly CalendarEntry[]>([])
  const entries = useMemo(() => entriesOf(weeks, from, to, shown), [weeks, from, to, shown])
  if (entries !== shown) setShown(entries)

  const watch = trpc.posts.watch.useSubscription(
    {},
    {
      onData: (change) => {
        applyPostsChange(queryClient, utils, change)
        if (change.reread) void reloadAll(queryClient)
      },
    },
  )

  return {
    entries,
    loading,
    error,
    retry: () =>
      void queryClient.refetchQueries({
        queryKey: getQueryKey(trpc.posts.calendar),
        type: 'active',
        predicate: (query) => query.state.status === 'error',
      }),
    prefetch: (nextDays) => {
      for (const week of weeksOver(nextDays)) void queryClient.prefetchQuery(weekQuery(utils.client, week))
    },
    preload: (id) => void utils.posts.get.prefetch({ postId: id }),
    isStopped: watch.status === 'error',
    restart: () => watch.reset(),
  }
}

/** Reloads everything. Waits for pending requests first, because they may be for the weeks that are shown next. */
async function reloadAll(queryClient: QueryClient): Promise<void> {
  const queryKey = getQueryKey(trpc.posts.calendar)
  void queryClient.invalidateQueries({ queryKey: getQueryKey(trpc.posts.get) })
  await Promise.allSettled(
    queryClient
      .getQueryCache()
      .findAll({ queryKey, fetchStatus: 'fetching' })
      .map(async (query) => await query.promise),
  )
  await queryClient.invalidateQueries({ queryKey })
}
