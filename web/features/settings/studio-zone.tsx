import { authFallbacks, authMessages } from '@flashsheet/contracts/plain/auth'
import { useMemo } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useNow } from '../../lib/use-now.ts'
import { Card } from '../../ui/card.tsx'
import { ComboBox } from '../../ui/combo-box.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { offsetOf, zoneOptions } from './zones.ts'

/** The zone the studio's hours are kept in. */
export function StudioZone() {
  const utils = trpc.useUtils()
  const now = useNow()
  const saved = trpc.auth.studioZone.useQuery(undefined, { staleTime: Infinity })
  const zone = saved.data?.timeZone
  const options = useMemo(() => zoneOptions(zone, new Date(now)), [zone, now])
  const save = trpc.auth.chooseStudioZone.useMutation({
    onSuccess: (next) => {
      utils.auth.studioZone.setData(undefined, next)
      toast.success(authMessages.timeZoneSaved)
    },
    onError: (error) => {
      const failure = failureOf(error, authFallbacks.timeZone)
      toast.error(failure.message, failure.detail)
    },
  })
  const time = zone && new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone: zone }).format(now)
  return (
    <Card title="Studio time zone" note="Bookings and opening hours are kept in it. What is booked or scheduled already does not move." as="section">
      {zone === undefined ? (
        <Loading label="Loading your time zone">
          <Skeleton shape="block" />
        </Loading>
      ) : (
        <ComboBox
          key={zone}
          label="Time zone"
          value={save.isPending ? save.variables.timeZone : zone}
          onChange={(next) => {
            if (next !== null && next !== zone) save.mutate({ timeZone: next })
          }}
          options={options}
          emptyText="No such time zone"
          disabled={save.isPending}
          description={`It is ${time} there, ${offsetOf(zone, new Date(now))}.`}
        />
      )}
    </Card>
  )
}
