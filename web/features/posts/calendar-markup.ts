import { platformNames } from '@flashsheet/contracts/social'
import { timeOf } from '../calendar/calendar-entry.ts'
import { escapeHtml, markId } from '../calendar/calendar-text.ts'
import { statusWords, type CalendarEntry } from './calendar-entries.ts'
import styles from './calendar-markup.module.css'

/** `8:02a`: room for a word more in a day of the month. */
const shortTime = (at: number) => timeOf(at).replace(' AM', 'a').replace(' PM', 'p')

/**
 * What stands inside an entry of the grid. The calendar takes strings of HTML and paints them together with the entry; a
 * component of React would come a frame later and make every turn of a page blink. What the artist wrote is escaped here,
 * and the security policy lets nothing run that stands in the page.
 */
export function entryMarkup(entry: CalendarEntry, withPicture: boolean): string {
  const networks = entry.platforms.map((platform) => platformNames[platform]).join(', ')
  const picture =
    withPicture && entry.thumbnail !== null
      ? `<img class="${styles['picture']}" src="${escapeHtml(entry.thumbnail)}" alt="" width="24" height="24" loading="lazy" decoding="async">`
      : ''
  const spoken = [timeOf(entry.at), entry.title, statusWords[entry.status], ...(networks ? [networks] : [])].join(', ')
  return (
    `<span class="${styles['entry']}">` +
    `<span class="${styles['spoken']}">${escapeHtml(spoken)}</span>` +
    `<svg class="${styles['mark']}" aria-hidden="true"><use href="#${markId(entry.status)}"/></svg>` +
    `<span class="${styles['time']}" aria-hidden="true">${shortTime(entry.at)}</span>` +
    `<span class="${styles['title']}" aria-hidden="true">${escapeHtml(entry.title)}</span>` +
    `${picture}</span>`
  )
}
