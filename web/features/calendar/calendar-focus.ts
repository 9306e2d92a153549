/** What takes the focus once the dialog of an entry is closed: the entry, wherever it stands by now, else the day last used, else the screen. */
export function entryOrCalendar(id: string): HTMLElement | null {
  const content = document.getElementById('content')
  return (
    content?.querySelector<HTMLElement>(`[data-event-id="${CSS.escape(id)}"]`) ??
    content?.querySelector<HTMLElement>('[data-date] [tabindex="0"]') ??
    content
  )
}
