import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import type { FreeTime } from '@flashsheet/contracts/appointments/schema'
import { failureOf } from '../../lib/failure.ts'
import { formatScheduled } from '../../lib/format.ts'
import { useScrollIntoView } from '../../lib/use-scroll-into-view.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import styles from './conflict-alert.module.css'
import { suggestedTimes } from './suggested-times.ts'

/** An earlier call whose response was lost had created the appointment. */
const titleOf = (message: string) =>
  message === appointmentMessages.requestReused ? appointmentMessages.alreadyCreated : message

/** Shown when the server refused a time that is taken. Offers the next free times. */
export function ConflictAlert({
  error,
  timeZone,
  onPick,
}: {
  /** Nothing is shown for other errors than `conflict`. */
  error: unknown
  timeZone: string
  onPick: (time: FreeTime) => void
}) {
  const alert = useScrollIntoView(error)
  const failure = error ? failureOf(error, '') : null
  if (failure?.code !== 'conflict') return null
  const freeTimes = suggestedTimes(error)
  return (
    <div ref={alert}>
      <Alert tone="warning" live title={titleOf(failure.message)}>
        {freeTimes.length > 0 && (
          <div className={classes(layout['row-2'], styles['clash'])}>
            <p>Next free:</p>
            {freeTimes.map((time) => (
              <Button key={time.date} size="small" onPress={() => onPick(time)}>
                {formatScheduled(time.date, timeZone)}
              </Button>
            ))}
          </div>
        )}
      </Alert>
    </div>
  )
}
