import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './library-filter-bar.module.css'
import type { LibraryFilter, LibraryShow } from './library-filter.ts'

const shows: readonly { value: LibraryShow; label: string }[] = [
  { value: 'all', label: 'Everything' },
  { value: 'photo', label: 'Photos' },
  { value: 'video', label: 'Videos' },
  { value: 'unposted', label: 'Not posted yet' },
]

export function LibraryFilterBar({
  filter,
  onFilter,
}: {
  filter: LibraryFilter
  onFilter: (filter: LibraryFilter) => void
}) {
  return (
    <search className={styles['bar']} aria-label="Your media">
      <TextField
        label="Search your media"
        isLabelHidden
        type="search"
        placeholder="Search by name"
        maxLength={100}
        value={filter.search}
        onChange={(search) => onFilter({ ...filter, search })}
      />
      <Select
        label="Show"
        isLabelHidden
        value={filter.show}
        onChange={(show) => onFilter({ ...filter, show })}
        options={shows}
      />
    </search>
  )
}
