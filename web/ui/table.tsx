import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Cell,
  Column,
  Row,
  Table as AriaTable,
  TableBody,
  TableHeader,
  type SortDescriptor,
} from 'react-aria-components'
import { classes } from './classes.ts'
import hiddenStyles from './visually-hidden.module.css'
import styles from './table.module.css'

export type TableColumn<T> = {
  id: string
  label: string
  /** Hides the heading visually, for the column of buttons. */
  labelHidden?: boolean
  cell: (row: T, index: number) => ReactNode
  /** `end` for numbers, money and dates. */
  align?: 'start' | 'end'
  sortable?: boolean
  /** The row header; default: the first column. */
  names?: boolean
}

export type TableProps<T extends object> = {
  label: string
  columns: readonly TableColumn<T>[]
  rows: readonly T[]
  rowId: (row: T) => string
  /** Shown instead of rows. */
  empty: ReactNode
  sort?: SortDescriptor
  onSort?: (sort: SortDescriptor) => void
  onRowAction?: (id: string) => void
}

/**
 * A table with arrow key navigation; when it is wider than the screen it scrolls sideways below the fixed column of
 * buttons.
 */
export function Table<T extends object>({
  label,
  columns,
  rows,
  rowId,
  empty,
  sort,
  onSort,
  onRowAction,
}: TableProps<T>) {
  const namer = columns.find((column) => column.names) ?? columns[0]
  return (
    <div className={styles['frame']}>
      <AriaTable
        aria-label={label}
        className={styles['table'] ?? ''}
        {...(sort ? { sortDescriptor: sort } : {})}
        {...(onSort ? { onSortChange: onSort } : {})}
        {...(onRowAction ? { onRowAction: (key) => onRowAction(String(key)) } : {})}
      >
        <TableHeader>
          {columns.map((column) => (
            <Column
              key={column.id}
              id={column.id}
              isRowHeader={column === namer}
              allowsSorting={column.sortable ?? false}
              className={classes(
                styles['column'],
                column.align === 'end' && styles['end'],
                column.labelHidden && styles['tools'],
              )}
            >
              {({ sortDirection }) => (
                <span className={column.labelHidden ? hiddenStyles['hidden'] : styles['head']}>
                  {column.label}
                  {sortDirection === 'ascending' && <ArrowUp aria-hidden="true" />}
                  {sortDirection === 'descending' && <ArrowDown aria-hidden="true" />}
                </span>
              )}
            </Column>
          ))}
        </TableHeader>
        <TableBody renderEmptyState={() => <div className={styles['empty']}>{empty}</div>}>
          {rows.map((row, index) => (
            <Row key={rowId(row)} id={rowId(row)} className={styles['row'] ?? ''}>
              {columns.map((column) => (
                <Cell
                  key={column.id}
                  className={classes(
                    styles['cell'],
                    column.align === 'end' && styles['end'],
                    column.labelHidden && styles['tools'],
                  )}
                >
                  {column.cell(row, index)}
                </Cell>
              ))}
            </Row>
          ))}
        </TableBody>
      </AriaTable>
    </div>
  )
}
