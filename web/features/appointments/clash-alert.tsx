import type { FreeTime } from '@flashsheet/contracts/appointments/schema'
import { formatScheduled } from '../../lib/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './clash-alert.module.css'

/** Shown when the chosen time is taken. Offers the next free times. */
export function ClashAlert({
  message,
  next,
  timeZone,
  onPick,
}: {
  message: string
  next: readonly FreeTime[]
  timeZone: string
  onPick: (time: FreeTime) => void
}) {
  return (
    <Alert tone="warning" live title={message}>
      {next.length > 0 && (
        <div className={styles['clash']}>
          <p>Next free:</p>
          {next.map((time) => (
            <Button key={time.date} size="small" onPress={() => onPick(time)}>
              {formatScheduled(time.date, timeZone)}
            </Button>
          ))}
        </div>
      )}
    </Alert>
  )
}
