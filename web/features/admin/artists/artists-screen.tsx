import { adminLimits, type UserSortKey } from '@flashsheet/contracts/admin/limits'
import type { AdminUser } from '@flashsheet/contracts/admin/schema'
import { plans } from '@flashsheet/contracts/plans'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { formatShortDay } from '../../../lib/format.ts'
import { retryInterval } from '../../../lib/query-client.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { RecordsProps } from '../../../ui/records.tsx'
import { ActivityBadge } from '../parts/activity-badge.tsx'
import { ArtistActions } from './artist-actions.tsx'
import { Filter, ListFilters } from '../lists/list-filters.tsx'
import { ListResult } from '../lists/list-result.tsx'
import layout from '../../../ui/layout.module.css'
import text from '../../../ui/text.module.css'
import styles from '../lists/list-screen.module.css'
import { Person } from '../parts/person.tsx'
import { TruncatedText } from '../parts/truncated-text.tsx'
import { artistSorts, type ArtistSort } from './artist-sorts.ts'
import { listNavigation } from '../parts/search-params.ts'
import { useSearchBox } from '../lists/search-box.ts'
import { formatCount, planTone } from '../parts/labels.ts'

const sorts: Record<ArtistSort, { label: string; sortBy: UserSortKey; sortOrder: 'asc' | 'desc' }> = {
  newest: { label: 'Newest First', sortBy: 'createdAt', sortOrder: 'desc' },
  oldest: { label: 'Oldest First', sortBy: 'createdAt', sortOrder: 'asc' },
  'name-a-z': { label: 'Name A-Z', sortBy: 'name', sortOrder: 'asc' },
  'name-z-a': { label: 'Name Z-A', sortBy: 'name', sortOrder: 'desc' },
  'email-a-z': { label: 'Email A-Z', sortBy: 'email', sortOrder: 'asc' },
  'email-z-a': { label: 'Email Z-A', sortBy: 'email', sortOrder: 'desc' },
}

const from = '/admin/users/'

export function ArtistsScreen() {
  const params = useSearch({ from })
  const navigate = useNavigate({ from })
  const setParams = (next: typeof params) => void navigate(listNavigation(next))
  const box = useSearchBox(params.search)
  const { page = 1, search = '', sort = 'newest' } = params
  const { sortBy, sortOrder } = sorts[sort]
  const input = { page, limit: adminLimits.pageSize, search, sortBy, sortOrder }
  const list = trpc.admin.users.useQuery(input, {
    placeholderData: keepPreviousData,
    // A deletion runs in a job, so poll the list until the artist is deleted.
    refetchInterval: (query) =>
      retryInterval(query) || (query.state.data?.users.some((user) => user.deletion === 'running') ? 2000 : false),
  })
  const { stats } = list.data ?? {}
  return (
    <div className={layout['stack-5']}>
      <ListFilters
        label="Search artists"
        placeholder="Search Here"
        box={box}
        onSearch={() => setParams({ ...params, search: box.search, page: undefined })}
      >
        <Filter
          narrow
          label="Sort"
          value={sort}
          options={artistSorts.map((value) => ({ value, label: sorts[value].label }))}
          onChange={(next) =>
            setParams({
              ...params,
              search: box.search,
              sort: next === 'newest' ? undefined : next,
              page: undefined,
            })
          }
        />
        {stats && (
          <p className={styles['sum']}>
            {formatCount(stats.totalUsers, 'artist')}, {stats.activeUsers.toLocaleString('en-US')} active,{' '}
            {stats.subscribedUsers.toLocaleString('en-US')} subscribed
          </p>
        )}
      </ListFilters>
      <ListResult
        query={list}
        page={page}
        label="Artists"
        what="artists"
        emptyTitle="No users found"
        emptyText={params.search && <p>Nobody has “{params.search}” in name or address.</p>}
        columns={columnsFor(((list.data?.pagination.current ?? 1) - 1) * input.limit)}
        rows={list.data?.users ?? []}
        rowId={(user) => user._id}
        onPage={(next) => setParams({ ...params, page: next })}
      />
    </div>
  )
}

/** `before`: the number of rows on earlier pages, so that row numbers continue. */
function columnsFor(before: number): RecordsProps<AdminUser>['columns'] {
  return [
    {
      id: 'no',
      label: 'No',
      wideOnly: true,
      cell: (_, index) => <span className={text['numerals-muted']}>{String(before + index + 1).padStart(2, '0')}</span>,
    },
    {
      id: 'name',
      label: 'Name',
      isRowHeader: true,
      cell: (user) => <Person id={user._id} name={user.name} note={user.isAdmin ? 'Admin' : undefined} />,
    },
    {
      id: 'mail',
      label: 'Mail',
      cell: ({ email }) => (
        <span className={styles['address']}>
          <TruncatedText text={email} />
        </span>
      ),
    },
    {
      id: 'phone',
      label: 'Phone Number',
      wideOnly: (user) => user.phone === null,
      cell: (user) => <span className={styles['together']}>{user.phone ?? '—'}</span>,
    },
    {
      id: 'location',
      label: 'Location',
      wideOnly: (user) => user.location === null,
      cell: (user) => user.location ?? '—',
    },
    {
      id: 'subscription',
      label: 'Subscription',
      cell: ({ subscription }) => (
        <span className={styles['badge']}>
          {subscription ? (
            <Badge tone={planTone(subscription.plan)}>{plans[subscription.plan].name}</Badge>
          ) : (
            <Badge>None</Badge>
          )}
        </span>
      ),
    },
    {
      id: 'status',
      label: 'Status',
      cell: (user) => (
        <span className={styles['badge']}>
          <ActivityBadge user={user} />
        </span>
      ),
    },
    {
      id: 'signup',
      label: 'Signup Date',
      cell: (user) => (
        <time className={styles['together']} dateTime={user.createdAt}>
          {formatShortDay(user.createdAt)}
        </time>
      ),
    },
    { id: 'action', label: 'Action', isLabelHidden: true, cell: (user) => <ArtistActions key="actions" user={user} /> },
  ]
}
