import type { Checkpoint } from '@flashsheet/db/schema/posts'
import type { LiveHint } from '@flashsheet/db/live'
import { isDatabaseUnavailable } from '@flashsheet/db/database-unavailable'
import type { WorkerIdentity } from '@flashsheet/db/worker-liveness'
import { setTimeout as sleep } from 'node:timers/promises'
import type { System } from '../../../core/context.ts'
import type { Monotonic } from '../../../core/monotonic.ts'
import { everyoneScope } from '../../../core/scope.ts'
import {
  leaseSeconds,
  callMarginSeconds,
  isLeaseHeld,
  mergeCheckpoint,
  writeLeased,
  type ClaimedTarget,
  type LeasedCall,
  type TargetPatch,
} from '../queries/leases.ts'

/** Another worker may have claimed this target: nothing may be written or sent any more. */
export class LeaseLost extends Error {
  constructor(targetId: string) {
    super(`the lease of target ${targetId} is lost`)
    this.name = 'LeaseLost'
  }
}

/** The irreversible call was not sent, because it could not be written or the lease could not be proven. */
export class NotSent extends Error {
  constructor(cause: unknown) {
    super('an irreversible call was not sent', { cause })
    this.name = 'NotSent'
  }
}

/** A claimed target in this process: the row as last written, and the only way to write it. */
export type Lease = ReturnType<typeof holdLease>

const renewEveryMs = (leaseSeconds * 1000) / 3
/** A lease not renewed for this long is presumed lost, before it ends in the database. */
const presumedLostAfterMs = (leaseSeconds - callMarginSeconds) * 1000
/** How long the proof of `writeCall` is used; the grace period that it proves is fifteen times as long. */
export const proofValidMs = 1000
const longestPauseMs = 5000
/** How many times a write is tried: while the database is unavailable, and after any other error, which rarely passes. */
const maxWriteAttempts = { unavailable: 125, otherError: 16 }

/** Milliseconds since the call, by the clock that shows more: the monotonic one stops while a machine sleeps, the other can be set back. */
function stopwatch(monotonic: Monotonic): () => number {
  const [startedAt, wallStartedAt] = [monotonic.now(), monotonic.wall()]
  return () => Math.max(monotonic.now() - startedAt, monotonic.wall() - wallStartedAt)
}

/**
 * Renews a claimed target's lease while its steps run. If the database cannot be reached in time, the signal aborts before another worker
 * can claim the target. Without `worker` only the lease's time protects the claim.
 */
export function holdLease(
  system: System,
  claimed: ClaimedTarget,
  token: string,
  worker: WorkerIdentity | undefined,
  jobSignal: AbortSignal,
) {
  const { monotonic } = system
  const lost = new AbortController()
  const markLost = () => lost.abort(new LeaseLost(claimed.id))
  worker?.lost.addEventListener('abort', markLost, { once: true })
  if (worker?.lost.aborted) markLost()
  let sinceRenewed = stopwatch(monotonic)
  let sinceCallWritten: (() => number) | undefined
  let unwritten: TargetPatch = {}
  const target = { ...claimed }
  let writtenPhase = target.phase
  let insisting = 0
  const mayWrite = (): void => {
    if (insisting === 0) lost.signal.throwIfAborted()
  }
  const recordProof = (isStillOurs: boolean, sinceSent: () => number): void => {
    if (!isStillOurs) {
      markLost()
      throw new LeaseLost(claimed.id)
    }
    mayWrite()
    sinceRenewed = sinceSent
  }
  const renew = async (): Promise<void> => {
    throwIfLost()
    const sinceSent = stopwatch(monotonic)
    recordProof(await writeLeased(system.db, everyoneScope(), target.id, token, {}), sinceSent)
  }
  const stopRenewing = monotonic.every(renewEveryMs, () => {
    renew().catch((error: unknown) => {
      if (!(error instanceof LeaseLost))
        system.log.warn({ err: error, targetId: target.id }, 'a lease could not be renewed')
      check()
    })
  })
  /** Aborts `signal` if the lease must be presumed lost by now, even when timers are late. */
  const check = (): void => {
    worker?.check()
    if (sinceRenewed() > presumedLostAfterMs) markLost()
  }
  const throwIfLost = (): void => {
    check()
    lost.signal.throwIfAborted()
  }
  const write = async (patch: TargetPatch, call?: LeasedCall): Promise<() => number> => {
    mayWrite()
    const sinceSent = stopwatch(monotonic)
    const allColumns = { ...unwritten, ...patch, updatedAt: system.now() }
    const { phase } = allColumns
    // The claim already sent a hint that the target begins.
    const begins = writtenPhase === 'claimed' && phase === 'preparing'
    const sendsHint = (phase !== undefined && phase !== writtenPhase && !begins) || patch.progress !== undefined
    const hint: LiveHint | undefined = sendsHint
      ? { owner: target.userId, topic: 'posts', id: target.postId }
      : undefined
    recordProof(await writeLeased(system.db, everyoneScope(), target.id, token, allColumns, { hint, call }), sinceSent)
    Object.assign(target, patch)
    writtenPhase = target.phase
    unwritten = {}
    return sinceSent
  }
  /**
   * Repeats a write until it succeeds: for what only this run knows, such as a network's answer. It continues after the lease is presumed
   * lost, because a write has an effect only while the row still carries this lease's token. Throws LeaseLost once it does not, or the last
   * error after about a minute; after about ten minutes while the database is unavailable.
   */
  const retryUntilWritten = async (write: () => Promise<void>): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      insisting += 1
      try {
        return await write()
      } catch (error) {
        const maxTries = isDatabaseUnavailable(error) ? maxWriteAttempts.unavailable : maxWriteAttempts.otherError
        if (error instanceof LeaseLost || jobSignal.aborted || tries >= maxTries) throw error
        system.log.warn({ err: error, targetId: target.id }, 'the outcome of a step could not be written yet')
      } finally {
        insisting -= 1
      }
      await sleep(Math.min(longestPauseMs, 100 * 2 ** tries))
    }
  }
  return {
    token,
    target,
    /** Aborts when the lease is lost or the process must stop. */
    signal: AbortSignal.any([lost.signal, jobSignal]),
    check,
    retryUntilWritten,
    /**
     * Proves that the lease holds for `callMarginSeconds` more: by the write of the call if that is younger than `proofValidMs`, otherwise by
     * a query. Throws NotSent when it does not hold, or when the database does not answer.
     */
    assertLease: async (): Promise<void> => {
      try {
        throwIfLost()
        if (sinceCallWritten !== undefined && sinceCallWritten() < proofValidMs) return
        const sinceSent = stopwatch(monotonic)
        if (!(await isLeaseHeld(system.db, everyoneScope(), target.id, token))) markLost()
        // The answer holds as of when the query was sent, which may be long ago.
        if (sinceSent() > callMarginSeconds * 1000) throw new Error('the database answered too late')
        throwIfLost()
      } catch (error) {
        throw new NotSent(error)
      }
    },
    /** Writes the row and this copy of it, and sends a live hint when the phase changes. Throws LeaseLost. */
    async write(patch: TargetPatch): Promise<void> {
      await write(patch)
    },
    /** Changes this copy of the row now and the row with the next write: for values that another worker can compute again. */
    writeLater(patch: TargetPatch): void {
      Object.assign(target, patch)
      unwritten = { ...unwritten, ...patch }
    },
    /** Changes given to `writeLater` that no write has included yet. */
    unwritten: () => unwritten,
    /** As `write`, for an irreversible call about to be sent; `drawnAt`: when it counts against an allowance, if it does. */
    async writeCall(patch: TargetPatch, drawnAt: Date | undefined): Promise<void> {
      sinceCallWritten = await write(patch, { drawnAt })
    },
    /** Merges into the checkpoint, repeated as by `retryUntilWritten`. Throws as `retryUntilWritten`. */
    save: async (patch: Checkpoint): Promise<void> => {
      await retryUntilWritten(async () => {
        if (Object.keys(unwritten).length > 0) {
          await write({ checkpoint: { ...target.checkpoint, ...patch } })
          return
        }
        const sinceSent = stopwatch(monotonic)
        const checkpoint = await mergeCheckpoint(system.db, everyoneScope(), target.id, token, patch)
        recordProof(checkpoint !== undefined, sinceSent)
        target.checkpoint = checkpoint ?? {}
      })
    },
    /** Stops renewing; the row is released with the write of the outcome. */
    stop(): void {
      stopRenewing()
      worker?.lost.removeEventListener('abort', markLost)
    },
  }
}
