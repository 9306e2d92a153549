import { platformNames } from '@flashsheet/contracts/networks'
import { timeOf } from '../../calendar/calendar-entry.ts'
import { entryHtml } from '../../calendar/calendar-entry-html.ts'
import { iconLabels, iconOf, type CalendarEntry } from './calendar-entries.ts'

/** The content of a grid entry. */
export function entryMarkup(entry: CalendarEntry, withPicture: boolean): string {
  const networks = entry.platforms.map((platform) => platformNames[platform]).join(', ')
  const time = timeOf(entry.at)
  return entryHtml({
    sign: iconOf(entry),
    time,
    title: entry.title,
    accessibleParts: [
      time,
      entry.title,
      ...(entry.mark ? [iconLabels[entry.mark]] : []),
      iconLabels[iconOf({ status: entry.status, ...(entry.queue && { queue: entry.queue }) })],
      ...(networks ? [networks] : []),
    ],
    picture: withPicture ? entry.thumbnail : null,
  })
}
