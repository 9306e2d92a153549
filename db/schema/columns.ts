import { timestamp, uuid, type AnyPgColumn } from 'drizzle-orm/pg-core'

export const instant = <Name extends string>(name: Name) => timestamp(name, { withTimezone: true })

/** The id of the row that this one is part of; it is deleted with that row. */
export const parentId = <Name extends string>(name: Name, parent: () => AnyPgColumn) =>
  uuid(name).notNull().references(parent, { onDelete: 'cascade' })
