import type { CalendarSign } from './calendar-entry.ts'
import styles from './calendar-entry-html.module.css'

/** The id of a sign's drawing on the page (CalendarStatusIconDefs). */
export const markId = (sign: CalendarSign) => `calendar-mark-${sign}`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A text that is nothing but text inside an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** `8:02a` of `8:02 AM`: room for a word more in a day of the month. */
const shortTime = (time: string) => time.replace(' AM', 'a').replace(' PM', 'p')

/**
 * What stands inside an entry of the grid. The calendar takes strings of HTML and paints them together with the entry; a
 * component of React would come a frame later and make every turn of a page blink. What people wrote is escaped here, and the
 * security policy lets nothing run that stands in the page.
 */
export function entryHtml(entry: {
  sign: CalendarSign
  time: string
  title: string
  spoken: readonly string[]
  picture: string | null
}): string {
  const picture =
    entry.picture === null
      ? ''
      : `<img class="${styles['picture']}" src="${escapeHtml(entry.picture)}" alt="" width="32" height="32" loading="lazy" decoding="async">`
  return (
    `<span class="${styles['entry']}">` +
    `<span class="${styles['spoken']}">${escapeHtml(entry.spoken.join(', '))}</span>` +
    `<svg class="${styles['mark']}" aria-hidden="true"><use href="#${markId(entry.sign)}"/></svg>` +
    `<span class="${styles['time']}" aria-hidden="true">${shortTime(entry.time)}</span>` +
    `<span class="${styles['title']}" aria-hidden="true">${escapeHtml(entry.title)}</span>` +
    `${picture}</span>`
  )
}
