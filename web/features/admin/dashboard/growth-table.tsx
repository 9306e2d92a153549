import type { Growth } from '@flashsheet/contracts/admin/schema'
import { formatDollars } from '../../../lib/money.ts'
import { Table, type TableColumn } from '../../../ui/table.tsx'

type Month = Growth['months'][number]

const money = (id: keyof Month['movement'], label: string): TableColumn<Month> => ({
  id,
  label,
  align: 'end',
  cell: (row) => formatDollars(row.movement[id]),
})

const month = (text: string) =>
  new Date(`${text}-01T00:00:00Z`).toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

const columns: TableColumn<Month>[] = [
  { id: 'month', label: 'Month', isRowHeader: true, cell: (row) => month(row.month) },
  money('start', 'MRR at the start'),
  money('new', 'New'),
  money('reactivation', 'Returned'),
  money('expansion', 'Upgrades'),
  money('contraction', 'Downgrades'),
  money('churn', 'Left'),
  money('end', 'MRR at the end'),
  { id: 'subscribers', label: 'Subscribers', align: 'end', cell: (row) => row.subscribers.toLocaleString('en-US') },
]

/** Every number of the two charts, the newest month first. */
export function GrowthTable({ months }: { months: Growth['months'] }) {
  return (
    <Table
      label="MRR and subscribers by month"
      columns={columns}
      rows={months.toReversed()}
      rowId={(row) => row.month}
      empty="No months"
    />
  )
}
