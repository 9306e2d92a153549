import { queueMessages } from '@flashsheet/contracts/queue/messages'
import type { Queue } from '@flashsheet/contracts/queue/schema'
import { zoneLabel } from '@flashsheet/contracts/time'
import { failureOf } from '../../../lib/failure.ts'
import { formatMoment } from '../../../lib/format.ts'
import { useSessionUser } from '../../../lib/session.ts'
import { showFailureToast } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useIsMounted } from '../../../lib/use-is-mounted.ts'
import { Card } from '../../../ui/card.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.tsx'
import { QueueTimes } from './queue-times.tsx'
import layout from '../../../ui/layout.module.css'
import { PendingQuery } from '../../parts/pending-query.tsx'
import { useUnsavedTimes } from './use-unsaved-times.ts'

/** /queue: the weekly slots of queued posts, whether the queue is paused, and the next free slots. */
export function QueueScreen() {
  const user = useSessionUser()
  const queue = trpc.posts.queue.useQuery()
  if (!queue.data || !user)
    return <PendingQuery query={queue} label="Loading your queue" failed={queueMessages.loadFailed} />
  return <LoadedQueue key={user._id} userId={user._id} queue={queue.data} />
}

function LoadedQueue({ userId, queue }: { userId: string; queue: Queue }) {
  const utils = trpc.useUtils()
  const isMounted = useIsMounted()
  const times = useUnsavedTimes(userId, queue.slots)
  const next = trpc.posts.nextSlots.useQuery({ count: 5 })
  const save = trpc.posts.saveQueue.useMutation({
    onSuccess: (saved, { paused, slots }) => {
      utils.posts.queue.setData(undefined, saved)
      if (slots) times.markSaved(slots, saved.slots)
      toast
        .about(paused === undefined ? 'queue times' : 'queue')
        .success(
          paused === undefined ? queueMessages.saved : paused ? queueMessages.pausedNow : queueMessages.resumedNow,
        )
    },
    onError: async (error) => {
      const failure = failureOf(error, queueMessages.saveFailed)
      // Another device may have saved other slots, which the form then offers, or the answer to this save was lost.
      void utils.posts.queue.invalidate()
      if (failure.fields?.['slots'] === undefined || !isMounted()) showFailureToast(failure)
      // The server may have refused a disconnected page, which the form shows once the accounts are reloaded.
      else await utils.social.accounts.invalidate()
    },
    onSettled: async () =>
      await Promise.all([
        utils.posts.nextSlots.invalidate(),
        utils.posts.slotFor.invalidate(),
        utils.posts.calendar.invalidate(),
      ]),
  })
  const refusal = save.error ? failureOf(save.error, queueMessages.saveFailed).fields?.['slots'] : undefined
  return (
    <div className={layout['narrow-column']}>
      <Card
        title="Times of the week"
        note={`A post that you add to the queue takes the next free one. In ${zoneLabel(queue.timeZone)}.`}
      >
        <QueueTimes
          times={times}
          pending={save.isPending}
          refusal={refusal}
          onSave={(slots) => save.mutate({ slots, previousSlots: queue.slots })}
        />
      </Card>
      {next.data && next.data.length > 0 && (
        <Card title="Next free times">
          <ul className={layout['stack-2']}>
            {next.data.map(({ at }) => (
              <li key={at}>
                <time dateTime={at}>{formatMoment(at, queue.timeZone)}</time>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title="Pause">
        <Switch
          on={queue.paused}
          onChange={(paused) => save.mutate({ paused })}
          disabled={save.isPending}
          description="Posts in the queue wait while it is paused. When it goes on, those that missed their time move to the next free ones, so that they do not all go out at once. Posts that you gave a time yourself are not touched."
        >
          Pause the queue
        </Switch>
      </Card>
    </div>
  )
}
