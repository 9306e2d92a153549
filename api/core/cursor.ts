import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { sha256 } from './crypto.ts'
import { invalid } from './errors.ts'
import type { OwnerId } from './scope.ts'

/** The last row of a page: the keyset anchor of the next one. */
export type Anchor = { at: Date; id: string }

/** One page of a list; `next` is the cursor of the next page, if any. */
export type Page<T> = { items: T[]; next: string | undefined }

/** Postgres knows no year 0. */
const shape = /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) /

/**
 * The cursors of one list of one artist. They are opaque to callers, so that their content may change. A checksum refuses
 * those of another list, whose pages would omit entries without a word.
 */
export function cursorsOf(list: string, owner: OwnerId) {
  const cursorOf = ({ at, id }: Anchor): string => {
    const place = `${at.toISOString()} ${id}`
    return Buffer.from(`${place} ${sha256(`${list} ${owner} ${place}`).slice(0, 16)}`).toString('base64url')
  }
  return {
    /** Decodes a cursor. Throws invalid for any other text. */
    anchorOf(cursor: string | undefined): Anchor | undefined {
      if (cursor === undefined) return undefined
      const [, at = '', id = ''] = shape.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? []
      const anchor = { at: new Date(at), id }
      if (Number.isNaN(anchor.at.getTime()) || cursorOf(anchor) !== cursor)
        throw invalid(errorMessages.cursor, { cursor: errorMessages.cursor })
      return anchor
    },
    /** A page of rows read with a limit of one more than shown. */
    pageOf<Row>(rows: readonly Row[], limit: number, anchor: (row: Row) => Anchor): Page<Row> {
      const items = rows.slice(0, limit)
      const last = items.at(-1)
      return { items, next: rows.length > limit && last !== undefined ? cursorOf(anchor(last)) : undefined }
    },
  }
}
