import { type Platform, platforms } from '@flashsheet/contracts/networks'
import { type PostStatus, postStatuses } from '@flashsheet/contracts/posts/limits'
import { oneOf } from '../../../lib/read-stored-json.ts'
import type { CalendarEntry } from './calendar-entries.ts'

/** The filter as search parameters; unknown values are ignored. */
export const filterParams = { network: oneOf(platforms), status: oneOf(postStatuses) }
export type CalendarFilter = { network?: Platform | undefined; status?: PostStatus | undefined }

export function isFiltered({ network, status }: CalendarFilter): boolean {
  return network !== undefined || status !== undefined
}

/** The matching entries. Returns the same list without a filter, so that nothing is rendered again. */
export function filterEntries(
  entries: readonly CalendarEntry[],
  { network, status }: CalendarFilter,
): readonly CalendarEntry[] {
  if (!isFiltered({ network, status })) return entries
  return entries.filter(
    (entry) =>
      (network === undefined || entry.platforms.includes(network)) && (status === undefined || entry.status === status),
  )
}
