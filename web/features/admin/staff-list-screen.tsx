import { adminLimits, staffLists, type ListRow, type StaffList } from '@flashsheet/contracts/admin'
import { keepPreviousData } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { formatScheduled } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { phoneWidth, useMediaQuery } from '../../lib/use-media-query.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Records, type RecordsProps } from '../../ui/records.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ListFoot } from './list-foot.tsx'
import { ListPending } from './list-pending.tsx'
import styles from './list-screen.module.css'
import { LoadFailed } from './load-failed.tsx'
import { Person } from './person.tsx'
import { listWords, stateWords } from './staff-list-words.ts'
import { useLastPage } from './use-last-page.ts'

/** What the address holds; absent is all, or the first page. */
export type StaffListSearch = { page?: number | undefined; search?: string | undefined; status?: string | undefined }

/** The one screen of every list across artists: search, status, the failing ones first. */
export function StaffListScreen({ list: name, asked, onAsk }: { list: StaffList; asked: StaffListSearch; onAsk: (asked: StaffListSearch) => void }) {
  const phone = useMediaQuery(phoneWidth)
  const [typed, setTyped] = useState(asked.search ?? '')
  const [shownFor, setShownFor] = useState(asked.search)
  if (shownFor !== asked.search) {
    setShownFor(asked.search)
    setTyped(asked.search ?? '')
  }
  const states: readonly string[] = staffLists[name]
  const status = asked.status !== undefined && states.includes(asked.status) ? asked.status : undefined
  const list = trpc.admin.list.useQuery({ list: name, page: asked.page ?? 1, limit: adminLimits.pageSize, search: asked.search ?? '', status }, { placeholderData: keepPreviousData })
  const go = (page: number) => onAsk({ ...asked, page })
  useLastPage(list.data?.pagination, go)
  const words = listWords[name]
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
            <TextField label="Search" labelHidden type="search" enterKeyHint="search" placeholder={words.placeholder} value={typed} onChange={setTyped} />
          </div>
          <div className={styles['choice']}>
            <Select
              label="Status"
              labelHidden
              value={status ?? 'all'}
              options={[{ value: 'all', label: 'All Status' }, ...states.map((value) => ({ value, label: stateWords[value]?.label ?? value }))]}
              onChange={(value) => onAsk({ ...asked, status: value === 'all' ? undefined : value, page: undefined })}
            />
          </div>
          <Button type="submit" variant="ink" icon={<Search aria-hidden="true" />}>
            Search
          </Button>
          <Button
            isDisabled={asked.search === undefined && status === undefined && typed === ''}
            onPress={() => {
              setTyped('')
              onAsk({})
            }}
          >
            Clear
          </Button>
        </form>
      </search>
      {words.note && <p className={styles['note']}>{words.note}</p>}
      {list.error && !list.data ? (
        <LoadFailed error={list.error} what={words.what} retry={() => void list.refetch()} pending={list.isFetching} />
      ) : !list.data ? (
        <ListPending label={`Loading ${words.what}`} />
      ) : (
        <div className={styles['list']} aria-busy={list.isPlaceholderData}>
          <Records
            label={words.title}
            phone={phone}
            columns={columnsOf(words)}
            rows={list.data.rows}
            rowId={(row) => row._id}
            empty={<EmptyState look="bare" icon={<Search />} title={`No ${words.what} found`} />}
          />
          <ListFoot pagination={list.data.pagination} onPage={go} />
        </div>
      )}
    </div>
  )
}

function columnsOf(words: (typeof listWords)[StaffList]): RecordsProps<ListRow>['columns'] {
  return [
    {
      id: 'title',
      label: words.item,
      names: true,
      cell: (row) => (
        <span className={styles['thing']}>
          <span className={styles['strong']}>{row.title}</span>
          {row.problem && <span className={styles['problem']}>{row.problem}</span>}
        </span>
      ),
    },
    { id: 'artist', label: 'Artist', cell: (row) => <Person id={row.artist._id} name={row.artist.name} /> },
    { id: 'detail', label: 'Details', cell: (row) => <span className={styles['clip']}>{row.detail || '—'}</span> },
    { id: 'status', label: 'Status', cell: (row) => <Badge tone={stateWords[row.status]?.tone ?? 'neutral'}>{stateWords[row.status]?.label ?? row.status}</Badge> },
    {
      id: 'at',
      label: words.time,
      cell: (row) => (
        <time className={styles['together']} dateTime={row.at}>
          {formatScheduled(row.at)}
        </time>
      ),
    },
  ]
}
