import { v7 } from 'uuid'

/** A new row id: UUID v7, so that ids sort by the time they were made. */
export const newId = (): string => v7()

/** A lower bound of the ids that `newId` makes from this instant on, to find rows by age with the primary key. */
export function firstIdSince(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
