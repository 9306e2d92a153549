import type { ReactNode } from 'react'
import { Cell, Column, Row, Table as AriaTable, TableBody, TableHeader } from 'react-aria-components'
import { classes } from './classes.ts'
import hiddenStyles from './visually-hidden.module.css'
import layout from './layout.module.css'
import styles from './table.module.css'

export type TableColumn<T> = {
  id: string
  label: string
  /** Hides the heading visually, for the column of buttons. */
  isLabelHidden?: boolean
  cell: (row: T, index: number) => ReactNode
  /** `end` for numbers, money and dates. */
  align?: 'start' | 'end'
  /** Default: the first column. */
  isRowHeader?: boolean
}

export type TableProps<T extends object> = {
  label: string
  columns: readonly TableColumn<T>[]
  rows: readonly T[]
  rowId: (row: T) => string
  /** Shown instead of rows. */
  empty: ReactNode
}

/**
 * A table with arrow key navigation; when it is wider than the screen it scrolls sideways below the fixed column of
 * buttons.
 */
export function Table<T extends object>({ label, columns, rows, rowId, empty }: TableProps<T>) {
  const rowHeader = columns.find((column) => column.isRowHeader) ?? columns[0]
  const classOf = (base: 'column' | 'cell', { align, isLabelHidden }: TableColumn<T>) =>
    classes(styles[base], align === 'end' && styles['end'], isLabelHidden && styles['tools'])
  return (
    <div className={classes(layout['sheet'], styles['frame'])}>
      <AriaTable aria-label={label} className={styles['table'] ?? ''}>
        <TableHeader>
          {columns.map((column) => (
            <Column
              key={column.id}
              id={column.id}
              isRowHeader={column === rowHeader}
              className={classOf('column', column)}
            >
              <span className={column.isLabelHidden ? hiddenStyles['hidden'] : undefined}>{column.label}</span>
            </Column>
          ))}
        </TableHeader>
        <TableBody renderEmptyState={() => <div className={styles['empty']}>{empty}</div>}>
          {rows.map((row, index) => (
            <Row key={rowId(row)} id={rowId(row)} className={styles['row'] ?? ''}>
              {columns.map((column) => (
                <Cell key={column.id} className={classOf('cell', column)}>
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
