import { parseDate } from '@internationalized/date'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { dayTitle } from './calendar-range.ts'

export type CalendarDayDialogProps = {
  /** `2026-11-21` */
  day: string
  open: boolean
  onClose: () => void
  onOpenDay: (day: string) => void
  children: ReactNode
}

/** All entries of a day, opened by "+n more". The dialog of an entry opens on top of it and returns to it. */
export function CalendarDayDialog({ day, open, onClose, onOpenDay, children }: CalendarDayDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
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
      {children}
    </Dialog>
  )
}
