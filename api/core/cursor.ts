import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { invalid } from './errors.ts'

/** The last row of a page: the keyset anchor of the next one. */
export type Anchor = { at: Date; id: string }

/** One page of a list; `next` is the cursor of the next page, if any. */
export type Page<T> = { items: T[]; next: string | undefined }

/** Postgres knows no year 0. */
const shape = /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Opaque to callers, so that its content may change. */
function cursorOf({ at, id }: Anchor): string {
  return Buffer.from(`${at.toISOString()} ${id}`).toString('base64url')
}

/** Decodes a cursor. Throws invalid for any other text. */
export function anchorOf(cursor: string | undefined): Anchor | undefined {
  if (cursor === undefined) return undefined
  const [, at = '', id = ''] = shape.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? []
  const time = new Date(at)
  if (id === '' || Number.isNaN(time.getTime())) throw invalid(errorMessages.cursor, { cursor: errorMessages.cursor })
  return { at: time, id }
}

/** A page of rows read with a limit of one more than shown. */
export function pageOf<Row>(rows: readonly Row[], limit: number, anchor: (row: Row) => Anchor): Page<Row> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last !== undefined ? cursorOf(anchor(last)) : undefined }
}
