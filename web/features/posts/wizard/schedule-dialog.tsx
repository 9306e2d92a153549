import { postMessages } from '@flashsheet/contracts/posts/messages'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { DateTimePicker } from '../../../ui/date-time-picker.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { Zones } from '../parts/use-zones.ts'

export type ScheduleDialogProps = { open: boolean; onClose: () => void; onAdd: (iso: string) => void; zones: Zones }

/** 'Schedule Your Post': one time at a time. Adding closes it; without a date Add Schedule does nothing. */
export function ScheduleDialog({ open, onClose, onAdd, zones }: ScheduleDialogProps) {
  const [opened, setOpened] = useState(() => new Date())
  const [value, setValue] = useState<Date | null>(null)
  const [refused, setRefused] = useState(false)

  const close = () => {
    onClose()
    setValue(null)
    setRefused(false)
  }
  const add = () => {
    if (!value) return
    if (value.getTime() <= Date.now()) {
      setOpened(new Date())
      setRefused(true)
      return
    }
    onAdd(value.toISOString())
    close()
  }
  const atStudio = value && zones.inStudio(value.toISOString())
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) close()
      }}
      title="Schedule Your Post"
      actions={
        <>
          <Button onPress={close}>Cancel</Button>
          <Button variant="primary" onPress={add}>
            Add Schedule
          </Button>
        </>
      }
    >
      <DateTimePicker
        label="Date and time"
        description={atStudio ? `${zones.viewer}. That is ${atStudio}.` : `In your time zone, ${zones.viewer}.`}
        value={value}
        onChange={(next) => {
          setValue(next)
          setRefused(false)
        }}
        min={opened}
        error={refused ? postMessages.schedulePast : undefined}
      />
    </Dialog>
  )
}
