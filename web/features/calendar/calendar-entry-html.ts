import type { CalendarSign } from './calendar-entry.ts'
import hidden from '../../ui/visually-hidden.module.css'
import styles from './calendar-entry-html.module.css'

/** The id of an icon's SVG symbol (CalendarStatusIconDefs). */
export const markId = (sign: CalendarSign) => `calendar-mark-${sign}`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** `8:02 AM` as `8:02a`, to leave more room for the title in the month. */
const shortTime = (time: string) => time.replace(' AM', 'a').replace(' PM', 'p')

/**
 * The HTML inside a grid entry. schedule-x renders a string of HTML together with the entry; a React component would be rendered a
 * frame later, so that every change of the range would flicker. User texts are escaped here, and the content security policy
 * forbids inline scripts.
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
    `<span class="${hidden['hidden']}">${escapeHtml(entry.spoken.join(', '))}</span>` +
    `<svg class="${styles['mark']}" aria-hidden="true"><use href="#${markId(entry.sign)}"/></svg>` +
    `<span class="${styles['time']}" aria-hidden="true">${shortTime(entry.time)}</span>` +
    `<span class="${styles['title']}" aria-hidden="true">${escapeHtml(entry.title)}</span>` +
    `${picture}</span>`
  )
}
