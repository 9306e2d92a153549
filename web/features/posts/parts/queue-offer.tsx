import type { SlotFor } from '@flashsheet/contracts/queue/schema'
import { ListPlus } from 'lucide-react'
import { formatMoment } from '../../../lib/format.ts'
import { trpc } from '../../../lib/trpc.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Button } from '../../../ui/button.tsx'
import type { SelectedPage } from '../draft/draft.ts'
import styles from './queue-offer.module.css'
import { useZones, type Zones } from './use-zones.ts'

export type QueueOfferProps = { pages: readonly SelectedPage[]; disabled: boolean; onEnqueue: () => void }

/** Offers to post at the next free slot of the queue that allows all picked pages. */
export function QueueOffer({ pages, disabled, onEnqueue }: QueueOfferProps) {
  const asked = pages.map(({ socialAccountId, pageId }) => ({ socialAccountId, pageId }))
  const slot = trpc.posts.slotFor.useQuery({ pages: asked }, { staleTime: 10_000 })
  const zones = useZones()
  // While it is unknown, posting now and scheduling are still offered elsewhere.
  if (!slot.data) return null
  return (
    <div className={styles['offer']}>
      <p className={styles['words']}>{wordsFor(slot.data, zones)}</p>
      {slot.data.at === null ? (
        <ButtonLink size="small" to="/queue">
          {slot.data.hasSlots ? 'Change the queue' : 'Set up a queue'}
        </ButtonLink>
      ) : (
        <Button size="small" icon={<ListPlus />} onPress={onEnqueue} isDisabled={disabled}>
          Add to queue
        </Button>
      )}
    </div>
  )
}

function wordsFor({ hasSlots, paused, at }: SlotFor, zones: Zones): string {
  if (!hasSlots) return 'With a queue, posts go out at the times of the week that you choose.'
  if (at === null) return 'Your queue has no free time for all of these pages.'
  const atStudio = zones.inStudio(at)
  const next = `The next free time of your queue is ${formatMoment(at)}${atStudio ? ` (${atStudio})` : ''}.`
  return paused ? `${next} The queue is paused, so it waits until you resume it.` : next
}
