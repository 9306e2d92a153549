import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { invalid } from './errors.ts'

/** The last row of a page, behind which the next one begins. */
export type Anchor = { at: Date; id: string }

/** One page of a list; `next` is the cursor of the page behind it, if there is one. */
export type Page<T> = { items: T[]; next: string | undefined }

const shape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Callers only hand a cursor back: what is in it may change. */
export function cursorOf({ at, id }: Anchor): string {
  return Buffer.from(`${at.toISOString()} ${id}`).toString('base64url')
}

/** What a cursor points at. Throws invalid for one that we did not make. */
export function anchorOf(cursor: string | undefined): Anchor | undefined {
  if (cursor === undefined) return undefined
  const [, at = '', id = ''] = shape.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? []
  const time = new Date(at)
  if (id === '' || Number.isNaN(time.getTime())) throw invalid(errorMessages.cursor, { cursor: errorMessages.cursor })
  return { at: time, id }
}

/** A page of rows of which one more was read than it shows. */
export function pageOf<Row>(rows: readonly Row[], limit: number, anchor: (row: Row) => Anchor): Page<Row> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last !== undefined ? cursorOf(anchor(last)) : undefined }
}
