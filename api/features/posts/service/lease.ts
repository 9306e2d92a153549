import type { Checkpoint } from '@flashsheet/db/schema/posts'
import type { LiveHint } from '@flashsheet/db/live'
import type { Here } from '@flashsheet/db/presence'
import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { leaseSeconds, mergeCheckpoint, renewLease, writeLeased, type ClaimedTarget, type TargetPatch } from '../queries/leases.ts'

/** Another worker has this target by now: nothing may be written, and nothing sent, any more. */
export class LeaseLost extends Error {
  constructor(targetId: string) {
    super(`the lease of target ${targetId} is lost`)
    this.name = 'LeaseLost'
  }
}

/** A claimed target in this process: the row as last written, and the only way to write it. */
export type Lease = {
  token: string
  target: ClaimedTarget
  /** Aborts when the lease is lost or the process must let go. */
  signal: AbortSignal
  /** Aborts `signal` if the lease must be taken for lost by now, however late the timers are. */
  check: () => void
  /** Writes the row and this copy of it; a changed phase is told live. Throws LeaseLost. */
  write: (patch: TargetPatch) => Promise<void>
  /** Merges into the checkpoint. Throws LeaseLost. */
  save: (patch: Checkpoint) => Promise<void>
  /** Ends the renewing; the row itself is released by whoever writes the outcome. */
  stop: () => void
}

const renewEveryMs = (leaseSeconds * 1000) / 3
/** A lease not renewed for this long counts as lost here before the database says so. */
const believedMs = leaseSeconds * 1000 - 5000

/**
 * Keeps a claimed target's lease alive while its steps run. Should the database not be reached in time, the signal aborts
 * before another worker can claim the target; `here` is who claimed it, unless the lease's time alone counts.
 */
export function holdLease(system: System, claimed: ClaimedTarget, token: string, here: Here | undefined, letGo: AbortSignal): Lease {
  const { monotonic } = system
  const lost = new AbortController()
  const giveUp = () => lost.abort(new LeaseLost(claimed.id))
  here?.lost.addEventListener('abort', giveUp, { once: true })
  if (here?.lost.aborted) giveUp()
  let renewedAt = monotonic.now()
  const target = { ...claimed }
  const mine = (isMine: boolean, askedAt: number): void => {
    if (!isMine) giveUp()
    lost.signal.throwIfAborted()
    renewedAt = askedAt
  }
  const renew = async (): Promise<void> => {
    const askedAt = monotonic.now()
    if (askedAt - renewedAt > believedMs) giveUp()
    mine(await renewLease(system.db, everyoneScope(), target.id, token), askedAt)
  }
  const stopRenewing = monotonic.every(renewEveryMs, () => {
    renew().catch((error: unknown) => {
      if (!(error instanceof LeaseLost)) system.log.warn({ err: error, targetId: target.id }, 'a lease could not be renewed')
      check()
    })
  })
  const check = (): void => {
    here?.check()
    if (monotonic.now() - renewedAt > believedMs) giveUp()
  }
  return {
    token,
    target,
    signal: AbortSignal.any([lost.signal, letGo]),
    check,
    async write(patch) {
      lost.signal.throwIfAborted()
      const askedAt = monotonic.now()
      const isNews = (patch.phase !== undefined && patch.phase !== target.phase) || patch.progress !== undefined
      const hint: LiveHint | undefined = isNews ? { owner: target.userId, topic: 'posts', id: target.postId } : undefined
      mine(await writeLeased(system.db, everyoneScope(), target.id, token, { ...patch, updatedAt: system.now() }, hint), askedAt)
      Object.assign(target, patch)
    },
    async save(patch) {
      lost.signal.throwIfAborted()
      const askedAt = monotonic.now()
      const checkpoint = await mergeCheckpoint(system.db, everyoneScope(), target.id, token, patch)
      mine(checkpoint !== undefined, askedAt)
      target.checkpoint = checkpoint ?? {}
    },
    stop() {
      stopRenewing()
      here?.lost.removeEventListener('abort', giveUp)
    },
  }
}
