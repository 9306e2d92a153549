import { adminLimits, type AdminUser, type UserSortKey } from '@flashsheet/contracts/admin'
import { plans } from '@flashsheet/contracts/subscription'
import { keepPreviousData } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { formatShortDay } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { phoneWidth, useMediaQuery } from '../../lib/use-media-query.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Records, type RecordsProps } from '../../ui/records.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ActivityBadge } from './activity-badge.tsx'
import { ArtistActions } from './artist-actions.tsx'
import styles from './list-screen.module.css'
import { ListFoot } from './list-foot.tsx'
import { ListPending } from './list-pending.tsx'
import { LoadFailed } from './load-failed.tsx'
import { Person } from './person.tsx'
import { artistSorts, type ArtistSort } from './artist-sorts.ts'
import { useLastPage } from './use-last-page.ts'
import { countWords, planColours } from './words.ts'

const sorts: Record<ArtistSort, { label: string; sortBy: UserSortKey; sortOrder: 'asc' | 'desc' }> = {
  newest: { label: 'Newest First', sortBy: 'createdAt', sortOrder: 'desc' },
  oldest: { label: 'Oldest First', sortBy: 'createdAt', sortOrder: 'asc' },
  'name-a-z': { label: 'Name A-Z', sortBy: 'name', sortOrder: 'asc' },
  'name-z-a': { label: 'Name Z-A', sortBy: 'name', sortOrder: 'desc' },
  'email-a-z': { label: 'Email A-Z', sortBy: 'email', sortOrder: 'asc' },
  'email-z-a': { label: 'Email Z-A', sortBy: 'email', sortOrder: 'desc' },
}

/** What the address holds; absent is the default. */
export type ArtistsSearch = { page?: number | undefined; search?: string | undefined; sort?: ArtistSort | undefined }

/** What the server is asked for an address. */
export function artistsInput({ page = 1, search = '', sort = 'newest' }: ArtistsSearch) {
  const { sortBy, sortOrder } = sorts[sort]
  return { page, limit: adminLimits.pageSize, search, sortBy, sortOrder }
}

/** /admin/users (spec 2, Artists page). */
export function ArtistsScreen({ asked, onAsk }: { asked: ArtistsSearch; onAsk: (asked: ArtistsSearch) => void }) {
  const phone = useMediaQuery(phoneWidth)
  const [typed, setTyped] = useState(asked.search ?? '')
  // Back and forward bring the word of their address into the box.
  const [shownFor, setShownFor] = useState(asked.search)
  if (shownFor !== asked.search) {
    setShownFor(asked.search)
    setTyped(asked.search ?? '')
  }
  const input = artistsInput(asked)
  const list = trpc.admin.users.useQuery(input, { placeholderData: keepPreviousData })
  const go = (page: number) => onAsk({ ...asked, page })
  useLastPage(list.data?.pagination, go)
  return (
    <div className={styles['screen']}>
      <search>
        <form
          className={styles['filters']}
          onSubmit={(event) => {
            event.preventDefault()
            onAsk({ ...asked, search: typed.trim() || undefined, page: undefined })
          }}
        >
          <div className={styles['search']}>
            <TextField label="Search artists" labelHidden type="search" enterKeyHint="search" placeholder="Search Here" value={typed} onChange={setTyped} />
          </div>
          <div className={styles['sort']}>
            <Select
              label="Sort"
              labelHidden
              value={asked.sort ?? 'newest'}
              options={artistSorts.map((value) => ({ value, label: sorts[value].label }))}
              onChange={(sort) => onAsk({ ...asked, sort: sort === 'newest' ? undefined : sort, page: undefined })}
            />
          </div>
          {list.data && (
            <p className={styles['sum']}>
              {countWords(list.data.stats.totalUsers, 'artist')}, {list.data.stats.activeUsers.toLocaleString('en-US')} active, {list.data.stats.subscribedUsers.toLocaleString('en-US')} subscribed
            </p>
          )}
        </form>
      </search>
      {list.error && !list.data ? (
        <LoadFailed error={list.error} what="artists" retry={() => void list.refetch()} pending={list.isFetching} />
      ) : !list.data ? (
        <ListPending label="Loading artists" />
      ) : (
        <div className={styles['list']} aria-busy={list.isPlaceholderData}>
          {list.error && <LoadFailed error={list.error} what="artists" retry={() => void list.refetch()} pending={list.isFetching} />}
          <Records
            label="Artists"
            phone={phone}
            columns={columnsFor((list.data.pagination.current - 1) * input.limit)}
            rows={list.data.users}
            rowId={(user) => user._id}
            empty={
              <EmptyState look="bare" icon={<Search />} title="No users found">
                {asked.search && <p>Nobody has “{asked.search}” in name or address.</p>}
              </EmptyState>
            }
          />
          <ListFoot pagination={list.data.pagination} onPage={go} />
        </div>
      )}
    </div>
  )
}

/** `before`: how many rows come before this page; the numbers go on across pages. */
function columnsFor(before: number): RecordsProps<AdminUser>['columns'] {
  return [
    { id: 'no', label: 'No', wideOnly: true, cell: (_, at) => <span className={styles['number']}>{String(before + at + 1).padStart(2, '0')}</span> },
    {
      id: 'name',
      label: 'Name',
      names: true,
      cell: (user) => (
        <span className={styles['named']}>
          <Person id={user._id} name={user.name} />
          {user.isAdmin && <Badge tone="ready">Admin</Badge>}
        </span>
      ),
    },
    { id: 'mail', label: 'Mail', cell: (user) => <span className={styles['clip']}>{user.email}</span> },
    { id: 'phone', label: 'Phone Number', cell: (user) => <span className={styles['together']}>{user.phone ?? '—'}</span> },
    { id: 'location', label: 'Location', cell: (user) => user.location ?? '—' },
    {
      id: 'subscription',
      label: 'Subscription',
      cell: ({ subscription }) => (subscription ? <Badge tone={planColours[subscription.plan]}>{plans[subscription.plan].name}</Badge> : <Badge>None</Badge>),
    },
    { id: 'status', label: 'Status', cell: (user) => <ActivityBadge user={user} /> },
    { id: 'signup', label: 'Signup Date', cell: (user) => <time dateTime={user.createdAt}>{formatShortDay(user.createdAt)}</time> },
    { id: 'action', label: 'Action', labelHidden: true, cell: (user) => <ArtistActions key="actions" user={user} /> },
  ]
}
