/** The element to focus after the dialog of an entry is closed: the entry, else the day last used, else the content of the screen. */
export function entryOrCalendar(id: string): HTMLElement | null {
  const content = document.getElementById('content')
  return (
    content?.querySelector<HTMLElement>(`[data-event-id="${CSS.escape(id)}"]`) ??
    content?.querySelector<HTMLElement>('[data-date] [tabindex="0"]') ??
    content
  )
}
