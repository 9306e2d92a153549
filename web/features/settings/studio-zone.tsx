import { authFallbacks, authMessages } from '@flashsheet/contracts/auth/messages'
import { useMemo } from 'react'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useNow } from '../../lib/use-now.ts'
import { Card } from '../../ui/card.tsx'
import { ComboBox } from '../../ui/combo-box.tsx'
import { toast } from '../../ui/toast.tsx'
import { offsetOf, zoneMatches, zoneOptions } from './zones.ts'
import { LoadFailed } from '../parts/pending-query.tsx'
import { useStudioZone } from '../parts/use-studio-zone.ts'

/** The time zone of the studio's hours. */
export function StudioZone() {
  const utils = trpc.useUtils()
  const now = useNow()
  const saved = useStudioZone()
  const zone = saved.data?.timeZone
  const options = useMemo(() => (zone ? zoneOptions(zone, new Date(now)) : []), [zone, now])
  const save = trpc.auth.chooseStudioZone.useMutation({
    // One after the other, so that the last choice is stored last.
    scope: { id: 'studio-zone' },
    onSuccess: (next) => {
      utils.auth.studioZone.setData(undefined, next)
      // It contains the zone of the calendar.
      void utils.appointments.availability.invalidate()
      toast.success(authMessages.timeZoneSaved)
    },
    onError: (error) => toastFailure(error, authFallbacks.timeZone),
  })
  const chosen = save.isPending ? save.variables.timeZone : zone
  const time =
    zone && new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: zone }).format(now)
  return (
    <Card
      title="Studio time zone"
      note="Your hours, bookings and queue use it. Existing bookings and posts keep their time."
    >
      {saved.error && !saved.data ? (
        <LoadFailed query={saved} failed="Your time zone could not be loaded" />
      ) : (
        // Already shown while the zone is looked up, to avoid a layout shift.
        <ComboBox
          label="Time zone"
          value={chosen ?? null}
          onChange={(next) => {
            if (next !== null && next !== chosen) save.mutate({ timeZone: next })
          }}
          options={options}
          matches={zoneMatches}
          emptyText="No such time zone"
          disabled={zone === undefined}
          description={zone ? `It is ${time} there, ${offsetOf(zone, new Date(now))}.` : 'Looking it up...'}
        />
      )}
    </Card>
  )
}
