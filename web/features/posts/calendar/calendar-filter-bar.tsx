import { platformNames, platforms } from '@flashsheet/contracts/networks'
import { Select } from '../../../ui/select.tsx'
import { NetworkIcon } from '../../social/network-icon.tsx'
import { legend, statusLabels } from './calendar-entries.ts'
import styles from './calendar-filter-bar.module.css'
import type { CalendarFilter } from './calendar-filter.ts'

const all = 'all'

export function CalendarFilterBar({
  filter,
  onFilter,
}: {
  filter: CalendarFilter
  onFilter: (filter: CalendarFilter) => void
}) {
  return (
    <section className={styles['bar']} aria-label="Show only">
      <Select
        label="Network"
        isLabelHidden
        value={filter.network ?? all}
        onChange={(network) => onFilter({ ...filter, network: network === all ? undefined : network })}
        options={[
          { value: all, label: 'All networks' } as const,
          ...platforms.map((platform) => ({
            value: platform,
            label: platformNames[platform],
            icon: <NetworkIcon platform={platform} />,
          })),
        ]}
      />
      <Select
        label="Status"
        isLabelHidden
        value={filter.status ?? all}
        onChange={(status) => onFilter({ ...filter, status: status === all ? undefined : status })}
        options={[
          { value: all, label: 'All statuses' } as const,
          ...legend.map((status) => ({ value: status, label: statusLabels[status] })),
        ]}
      />
    </section>
  )
}
