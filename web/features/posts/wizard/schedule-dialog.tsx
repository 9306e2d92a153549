import { hasPassed } from '@flashsheet/contracts/time'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { DateTimePicker } from '../../../ui/date-time-picker.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { Zones } from '../parts/use-zones.ts'
import { quickTimes } from './quick-times.ts'
import styles from './schedule-dialog.module.css'

export type ScheduleDialogProps = { open: boolean; onClose: () => void; onAdd: (iso: string) => void; zones: Zones }

/** Adds one time, which closes the dialog. Without a valid time it shows an error. */
export function ScheduleDialog({ open, onClose, onAdd, zones }: ScheduleDialogProps) {
  const [opened, setOpened] = useState(() => new Date())
  const [value, setValue] = useState<Date | null>(null)
  const [problem, setProblem] = useState<string>()

  const choose = (next: Date | null) => {
    setValue(next)
    setProblem(undefined)
  }
  const close = () => {
    onClose()
    choose(null)
  }
  const add = () => {
    if (!value) return setProblem(postMessages.scheduleRequired)
    if (hasPassed(value, Date.now())) {
      setOpened(new Date())
      return setProblem(postMessages.schedulePast)
    }
    onAdd(value.toISOString())
    close()
  }
  const atStudio = value && zones.inStudio(value.toISOString())
  return (
    <Dialog
      open={open}
      onClose={close}
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
      <div className={styles['quick']}>
        {quickTimes(opened).map(({ label, at }) => (
          <Button
            key={label}
            variant={value?.getTime() === at.getTime() ? 'ink' : 'secondary'}
            aria-pressed={value?.getTime() === at.getTime()}
            onPress={() => choose(at)}
          >
            {label}
          </Button>
        ))}
      </div>
      <DateTimePicker
        label="Date and time"
        description={atStudio ? `${zones.viewer}. That is ${atStudio}.` : `In your time zone, ${zones.viewer}.`}
        value={value}
        onChange={choose}
        min={opened}
        error={problem}
      />
    </Dialog>
  )
}
