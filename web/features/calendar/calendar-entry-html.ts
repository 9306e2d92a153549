import type { CalendarIcon } from './calendar-entry.ts'
import hidden from '../../ui/visually-hidden.module.css'
import styles from './calendar-entry-html.module.css'

/** The id of an icon's SVG symbol (CalendarStatusIconDefs). */
export const iconId = (icon: CalendarIcon) => `calendar-mark-${icon}`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** `8:02 AM` as `8:02a`, which leaves more room for the title. */
const shortTime = (time: string) => time.replace(' AM', 'a').replace(' PM', 'p')

/**
 * The HTML inside a grid entry. schedule-x renders HTML together with the entry, but a React component a frame later, which flickers at
 * each change of the range. User texts are escaped here, and the content security policy forbids inline scripts.
 */
export function entryHtml(entry: {
  sign: CalendarIcon
  time: string
  title: string
  accessibleParts: readonly string[]
  picture: string | null
}): string {
  const picture =
    entry.picture === null
      ? ''
      : `<img class="${styles['picture']}" src="${escapeHtml(entry.picture)}" alt="" width="32" height="32" loading="lazy" decoding="async">`
  return (
    `<span class="${styles['entry']}">` +
    `<span class="${hidden['hidden']}">${escapeHtml(entry.accessibleParts.join(', '))}</span>` +
    `<svg class="${styles['mark']}" aria-hidden="true"><use href="#${iconId(entry.sign)}"/></svg>` +
    `<span class="${styles['time']}" aria-hidden="true">${shortTime(entry.time)}</span>` +
    `<span class="${styles['title']}" aria-hidden="true">${escapeHtml(entry.title)}</span>` +
    `${picture}</span>`
  )
}
