import { parseDate } from '@internationalized/date'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { CalendarEntry } from './calendar-entries.ts'
import { PostList } from './calendar-post-list.tsx'
import { dayTitle } from '../calendar/calendar-range.ts'

export type CalendarDayDialogProps = {
  /** `2026-11-21` */
  day: string
  open: boolean
  onClose: () => void
  entries: readonly CalendarEntry[]
  onOpen: (id: string) => void
  onApproach: (id: string) => void
  onOpenDay: (day: string) => void
}

/** What '+n more' opens: all posts of a day. A post opened from here lies above, and leads back here. */
export function CalendarDayDialog({ day, open, onClose, entries, onOpen, onApproach, onOpenDay }: CalendarDayDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      title={dayTitle(parseDate(day))}
      actions={
        <>
          <Button onPress={onClose}>Close</Button>
          <Button variant="ink" onPress={() => onOpenDay(day)}>
            Open this day
          </Button>
        </>
      }
    >
      <PostList entries={entries.filter((entry) => entry.day === day)} onOpen={onOpen} onApproach={onApproach} />
    </Dialog>
  )
}
