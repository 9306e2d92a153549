/** The element to focus after closing the dialog of an entry: the entry if it is shown, otherwise the day last used or the screen. */
export function entryOrCalendar(id: string): HTMLElement | null {
  const content = document.getElementById('content')
  return (
    content?.querySelector<HTMLElement>(`[data-event-id="${CSS.escape(id)}"]`) ??
    content?.querySelector<HTMLElement>('[data-date] [tabindex="0"]') ??
    content
  )
}
