import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import { ChevronRight } from 'lucide-react'
import { deletionHandlers } from '../../lib/deletion-handlers.ts'
import { formatScheduled } from '../../lib/format.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import { toast } from '../../ui/toast.tsx'
import { useSettling } from '../../ui/use-settling.ts'
import { clientOf } from './appointment-entries.ts'
import text from '../../ui/text.module.css'
import styles from './spam-requests.module.css'

/** A collapsed list of suspected spam, which blocks no time until the artist presses "Not spam". */
export function SpamRequests({ timeZone }: { timeZone: string }) {
  const utils = trpc.useUtils()
  const list = trpc.appointments.setAside.useQuery().data ?? []
  const callbacks = {
    onSettled: () => {
      void utils.appointments.setAside.invalidate()
      void utils.appointments.list.invalidate()
    },
    onError: (error: unknown) => toastFailure(error, appointmentMessages.updateFailed),
  }
  const markNotSpam = trpc.appointments.notSpam.useMutation({
    ...callbacks,
    onSuccess: () => toast.success('It was moved to your requests, and its time is held.'),
  })
  const remove = trpc.appointments.remove.useMutation({
    ...callbacks,
    ...deletionHandlers(() => toast.success(appointmentMessages.deleted), callbacks.onError),
  })
  const act = useSingleFlight(
    async (mutation: typeof markNotSpam | typeof remove, id: string) => await mutation.mutateAsync({ id }),
  )
  const settling = useSettling(list.length)
  if (list.length === 0) return null
  const busyId = [markNotSpam, remove].find(({ isPending }) => isPending)?.variables?.id
  const pressing = (mutation: typeof markNotSpam | typeof remove, id: string) => ({
    pending: busyId === id && mutation.isPending,
    isDisabled: busyId !== undefined && busyId !== id,
    onPress: () => act(mutation, id),
  })
  return (
    <details className={styles['aside']}>
      <summary className={styles['summary']}>
        <ChevronRight />
        Possible spam ({list.length})
      </summary>
      <p className={text['note']}>These looked like spam, so they hold no time and we did not email you about them.</p>
      <ul className={classes(layout['panel'], styles['list'])} data-settling={settling}>
        {list.map((one) => (
          <li key={one._id} className={styles['row']}>
            <div className={classes(layout['words'], styles['words'])}>
              <strong>{clientOf(one)}</strong>
              <span className={text['note']}>
                {one.bookingType}, {formatScheduled(one.date, timeZone)}
              </span>
              {one.notes && (
                <p className={styles['notes']} dir="auto">
                  {one.notes}
                </p>
              )}
            </div>
            <div className={layout['row-2']}>
              <Button size="small" {...pressing(markNotSpam, one._id)}>
                Not spam
              </Button>
              <Button
                size="small"
                variant="quiet"
                aria-label={`Delete the request of ${clientOf(one)}`}
                {...pressing(remove, one._id)}
              >
                Delete
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </details>
  )
}
