import { platformNames } from '@flashsheet/contracts/networks'
import { timeOf } from '../../calendar/calendar-entry.ts'
import { entryHtml } from '../../calendar/calendar-entry-html.ts'
import { markWords, queueWords, signOf, statusWords, type CalendarEntry } from './calendar-entries.ts'

/** The content of a grid entry. */
export function entryMarkup(entry: CalendarEntry, withPicture: boolean): string {
  const networks = entry.platforms.map((platform) => platformNames[platform]).join(', ')
  const time = timeOf(entry.at)
  return entryHtml({
    sign: signOf(entry),
    time,
    title: entry.title,
    spoken: [
      time,
      entry.title,
      ...(entry.mark ? [markWords.endangered] : []),
      entry.queue ? queueWords[entry.queue] : statusWords[entry.status],
      ...(networks ? [networks] : []),
    ],
    picture: withPicture ? entry.thumbnail : null,
  })
}
