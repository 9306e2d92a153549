import type { CalendarState } from './calendar-entry.ts'

/** The id of a state's drawing on the page (CalendarMarks). */
export const markId = (status: CalendarState) => `calendar-mark-${status}`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A text that is nothing but text inside an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}
