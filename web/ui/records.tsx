import { Fragment, type ReactNode } from 'react'
import text from './text.module.css'
import { classes } from './classes.ts'
import layout from './layout.module.css'
import styles from './records.module.css'
import { Table, type TableColumn, type TableProps } from './table.tsx'

export type RecordsProps<T extends object> = Pick<TableProps<T>, 'label' | 'rows' | 'rowId' | 'empty'> & {
  columns: readonly (TableColumn<T> & {
    /** Hidden on a phone: always, or in rows where it has nothing to show. */
    wideOnly?: boolean | ((row: T) => boolean)
  })[]
  /** On a phone each row is a card; elsewhere a table row. */
  phone: boolean
}

/**
 * A list of records: a table where there is room, else a card each, with the row header on top and the buttons below.
 */
export function Records<T extends object>({ phone, columns, ...table }: RecordsProps<T>) {
  if (!phone) return <Table {...table} columns={columns} />
  const { label, rows, rowId, empty } = table
  const rowHeader = columns.find((column) => column.isRowHeader) ?? columns[0]
  const facts = columns.filter((column) => column !== rowHeader && !column.isLabelHidden && column.wideOnly !== true)
  const tools = columns.filter((column) => column.isLabelHidden)
  if (rows.length === 0) return <div className={classes(layout['sheet'], styles['empty'])}>{empty}</div>
  return (
    <ul className={classes(layout['stack-3'], styles['records'])} aria-label={label}>
      {rows.map((row, at) => (
        <li key={rowId(row)} className={classes(layout['sheet'], layout['stack-3'], styles['record'])}>
          {rowHeader?.cell(row, at)}
          <dl className={styles['facts']}>
            {facts
              .filter(({ wideOnly }) => typeof wideOnly !== 'function' || !wideOnly(row))
              .map((column) => (
                <Fact key={column.id} label={column.label}>
                  {column.cell(row, at)}
                </Fact>
              ))}
          </dl>
          {tools.length > 0 && (
            <div className={styles['tools']}>
              {tools.map((column) => (
                <Fragment key={column.id}>{column.cell(row, at)}</Fragment>
              ))}
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className={text['note']}>{label}</dt>
      <dd className={styles['value']}>{children}</dd>
    </>
  )
}
