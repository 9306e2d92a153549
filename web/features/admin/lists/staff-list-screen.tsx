import { adminLimits, type StaffList, staffLists } from '@flashsheet/contracts/admin/limits'
import type { ListRow } from '@flashsheet/contracts/admin/schema'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { formatScheduled } from '../../../lib/format.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { RecordsProps } from '../../../ui/records.tsx'
import { TruncatedText } from '../parts/truncated-text.tsx'
import { Filter, ListFilters } from './list-filters.tsx'
import { ListResult } from './list-result.tsx'
import layout from '../../../ui/layout.module.css'
import text from '../../../ui/text.module.css'
import { classes } from '../../../ui/classes.ts'
import styles from './list-screen.module.css'
import { Person } from '../parts/person.tsx'
import { listNavigation } from '../parts/search-params.ts'
import { useSearchBox } from './search-box.ts'
import { staffListTexts, stateBadges } from './staff-list-texts.ts'
import { staffListTitles } from './staff-list-titles.ts'
import { noMatchesText } from '../parts/labels.ts'

/** The screen of every list across artists. */
export function StaffListScreen({ list: name }: { list: StaffList }) {
  const from = `/admin/${name}` as const
  const params = useSearch({ from })
  const navigate = useNavigate({ from })
  const setParams = (next: typeof params) => void navigate(listNavigation(next))
  const box = useSearchBox(params.search)
  const states: readonly string[] = staffLists[name]
  const status = params.status !== undefined && states.includes(params.status) ? params.status : undefined
  const list = trpc.admin.list.useQuery(
    { list: name, page: params.page ?? 1, limit: adminLimits.pageSize, search: params.search ?? '', status },
    { placeholderData: keepPreviousData },
  )
  const isFiltered = params.search !== undefined || status !== undefined
  const words = staffListTexts[name]
  return (
    <div className={layout['stack-5']}>
      <ListFilters
        label="Search"
        placeholder={words.placeholder ?? 'Search by artist'}
        box={box}
        onSearch={() => setParams({ ...params, search: box.search, page: undefined })}
        clear={{ isFiltered, onClear: () => setParams({}) }}
      >
        <Filter
          label="Status"
          value={status ?? 'all'}
          options={[
            { value: 'all', label: 'All Status' },
            ...states.map((value) => ({ value, label: stateBadges[value]?.label ?? value })),
          ]}
          onChange={(value) =>
            setParams({ ...params, search: box.search, status: value === 'all' ? undefined : value, page: undefined })
          }
        />
      </ListFilters>
      {words.note && <p className={text['muted']}>{words.note}</p>}
      <ListResult
        query={list}
        page={params.page ?? 1}
        label={staffListTitles[name]}
        what={words.what}
        emptyTitle={`No ${words.what} found`}
        emptyText={<p>{isFiltered ? noMatchesText : 'They show up here as soon as an artist has some.'}</p>}
        columns={columnsOf(words)}
        rows={list.data?.rows ?? []}
        rowId={(row) => row._id}
        onPage={(page) => setParams({ ...params, page })}
      />
    </div>
  )
}

function columnsOf(words: (typeof staffListTexts)[StaffList]): RecordsProps<ListRow>['columns'] {
  return [
    {
      id: 'title',
      label: words.item,
      isRowHeader: true,
      cell: (row) => (
        <span className={layout['words']}>
          <TruncatedText variant="strong" text={row.title} />
          {row.problem && <span className={classes(text['error'], styles['problem'])}>{row.problem}</span>}
        </span>
      ),
    },
    { id: 'artist', label: 'Artist', cell: (row) => <Person id={row.artist._id} name={row.artist.name} /> },
    {
      id: 'detail',
      label: 'Details',
      wideOnly: (row) => row.detail === '',
      cell: (row) => <TruncatedText text={row.detail || '—'} />,
    },
    {
      id: 'status',
      label: 'Status',
      cell: (row) => (
        <Badge tone={stateBadges[row.status]?.tone ?? 'neutral'}>{stateBadges[row.status]?.label ?? row.status}</Badge>
      ),
    },
    {
      id: 'at',
      label: words.time,
      cell: (row) => (
        <time className={styles['stamp']} dateTime={row.at}>
          {formatScheduled(row.at)}
        </time>
      ),
    },
  ]
}
