import { adminLimits } from '@flashsheet/contracts/admin/limits'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Select, type SelectProps } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import layout from '../../../ui/layout.module.css'
import styles from './list-filters.module.css'
import type { SearchBox } from './search-box.ts'

type ListFiltersProps = {
  label: string
  placeholder: string
  box: SearchBox
  onSearch: () => void
  /** Adds the buttons Search and Clear; without it Enter searches. */
  clear?: { isFiltered: boolean; onClear: () => void }
  children: ReactNode
}

/** Search box, filters and buttons above a list. */
export function ListFilters({ label, placeholder, box, onSearch, clear, children }: ListFiltersProps) {
  return (
    <search>
      <form
        className={layout['row-3']}
        onSubmit={(event) => {
          event.preventDefault()
          onSearch()
        }}
      >
        <div className={styles['search']}>
          <TextField
            label={label}
            isLabelHidden
            type="search"
            enterKeyHint="search"
            placeholder={placeholder}
            maxLength={adminLimits.searchMax}
            value={box.typed}
            onChange={box.setTyped}
          />
        </div>
        {children}
        {clear && (
          <div className={styles['buttons']}>
            <Button type="submit" variant="ink" icon={<Search />}>
              Search
            </Button>
            <Button
              isDisabled={!clear.isFiltered && box.typed === ''}
              onPress={() => {
                box.setTyped('')
                clear.onClear()
              }}
            >
              Clear
            </Button>
          </div>
        )}
      </form>
    </search>
  )
}

/** A drop-down list among the filters. */
export function Filter<T extends string>({ narrow = false, ...select }: SelectProps<T> & { narrow?: boolean }) {
  return (
    <div className={styles[narrow ? 'narrow' : 'choice']}>
      <Select {...select} isLabelHidden />
    </div>
  )
}
