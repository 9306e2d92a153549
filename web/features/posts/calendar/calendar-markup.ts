import { platformNames } from '@flashsheet/contracts/networks'
import { timeOf } from '../../calendar/calendar-entry.ts'
import { entryHtml } from '../../calendar/calendar-entry-html.ts'
import { iconLabels, iconOf, type CalendarEntry } from './calendar-entries.ts'

/** The content of a grid entry. */
export function entryMarkup(entry: CalendarEntry, withPicture: boolean): string {
  const networks = entry.platforms.map((platform) => platformNames[platform]).join(', ')
  const time = timeOf(entry.at)
  const { mark, ...unmarked } = entry
  return entryHtml({
    sign: iconOf(entry),
    time,
    title: entry.title,
    accessibleParts: [
      time,
      entry.title,
      ...(mark ? [iconLabels[mark]] : []),
      iconLabels[iconOf(unmarked)],
      ...(networks ? [networks] : []),
    ],
    picture: withPicture ? entry.thumbnail : null,
  })
}
