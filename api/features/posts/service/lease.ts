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
  renewLease,
  writeLeased,
  type ClaimedTarget,
  type LeasedCall,
  type TargetPatch,
} from '../queries/leases.ts'

/** Another worker has this target by now: nothing may be written, and nothing sent, any more. */
export class LeaseLost extends Error {
  constructor(targetId: string) {
    super(`the lease of target ${targetId} is lost`)
    this.name = 'LeaseLost'
  }
}

/** The irreversible call was not sent: it could not be proven that the lease still holds, or publishing has stopped. */
export class NotSent extends Error {
  constructor(cause: unknown) {
    super('an irreversible call was held back right before it', { cause })
    this.name = 'NotSent'
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
  /**
   * Proves that the lease holds for some seconds more: by what the database said when the call was written, if that is a moment ago, else
   * by asking it. Throws NotSent when it does not hold, or when the database cannot be asked.
   */
  assertLease: () => Promise<void>
  /**
   * Repeats a write until it succeeds: for what only this run knows, such as a network's answer. It continues after the lease is presumed
   * lost, because a write has an effect only while the row still carries this lease's token. Throws LeaseLost once it does not, the
   * last error after a minute, and after ten while the database is away.
   */
  insist: (write: () => Promise<void>) => Promise<void>
  /** Writes the row and this copy of it, and sends a live hint when the phase changes. Throws LeaseLost. */
  write: (patch: TargetPatch) => Promise<void>
  /** Changes this copy of the row now and the row with the next write: for values that another worker can compute again. */
  writeLater: (patch: TargetPatch) => void
  /** Changes given to `writeLater` that no write has included yet. */
  unwritten: () => TargetPatch
  /** As `write`, for an irreversible call that is about to leave; `drawnAt` says since when it counts against an allowance. */
  writeCall: (patch: TargetPatch, drawnAt: Date | undefined) => Promise<void>
  /** Merges what a network gave into the checkpoint, as `insist` does. Throws LeaseLost. */
  save: (patch: Checkpoint) => Promise<void>
  /** Ends the renewing; the row itself is released by whoever writes the outcome. */
  stop: () => void
}

const renewEveryMs = (leaseSeconds * 1000) / 3
/** A lease not renewed for this long counts as lost here before the database says so. */
const believedMs = (leaseSeconds - callMarginSeconds) * 1000
/** How long the proof that came with `writeCall` is used; the lease it proves lasts fifteen times as long. */
export const provenMs = 1000
const longestPauseMs = 5000
/** How often a write is repeated: while the database is unavailable, and after any other error, which rarely passes. */
const mostWrites = { away: 125, else: 16 }

/**
 * Milliseconds since some moment, by the clock that says more: the monotonic one stands still while a machine sleeps, and the
 * other can be set back.
 */
function stopwatch(monotonic: Monotonic): () => number {
  const [startedAt, wallStartedAt] = [monotonic.now(), monotonic.wall()]
  return () => Math.max(monotonic.now() - startedAt, monotonic.wall() - wallStartedAt)
}

/**
 * Keeps a claimed target's lease alive while its steps run. Should the database not be reached in time, the signal aborts
 * before another worker can claim the target; `here` is who claimed it, unless the lease's time alone counts.
 */
export function holdLease(
  system: System,
  claimed: ClaimedTarget,
  token: string,
  here: WorkerIdentity | undefined,
  letGo: AbortSignal,
): Lease {
  const { monotonic } = system
  const lost = new AbortController()
  const giveUp = () => lost.abort(new LeaseLost(claimed.id))
  here?.lost.addEventListener('abort', giveUp, { once: true })
  if (here?.lost.aborted) giveUp()
  let sinceRenewed = stopwatch(monotonic)
  let sinceProven: (() => number) | undefined
  let unwritten: TargetPatch = {}
  const target = { ...claimed }
  let writtenPhase = target.phase
  let insisting = 0
  const mayWrite = (): void => {
    if (insisting === 0) lost.signal.throwIfAborted()
  }
  const mine = (isMine: boolean, sinceAsked: () => number): void => {
    if (!isMine) {
      giveUp()
      throw new LeaseLost(claimed.id)
    }
    mayWrite()
    sinceRenewed = sinceAsked
  }
  const renew = async (): Promise<void> => {
    check()
    lost.signal.throwIfAborted()
    const sinceAsked = stopwatch(monotonic)
    mine(await renewLease(system.db, everyoneScope(), target.id, token), sinceAsked)
  }
  const stopRenewing = monotonic.every(renewEveryMs, () => {
    renew().catch((error: unknown) => {
      if (!(error instanceof LeaseLost))
        system.log.warn({ err: error, targetId: target.id }, 'a lease could not be renewed')
      check()
    })
  })
  const check = (): void => {
    here?.check()
    if (sinceRenewed() > believedMs) giveUp()
  }
  const write = async (patch: TargetPatch, call?: LeasedCall): Promise<() => number> => {
    mayWrite()
    const sinceAsked = stopwatch(monotonic)
    const whole = { ...unwritten, ...patch, updatedAt: system.now() }
    // Claiming said already that it begins.
    const begins = writtenPhase === 'claimed' && whole.phase === 'preparing'
    const isNews =
      (whole.phase !== undefined && whole.phase !== writtenPhase && !begins) || patch.progress !== undefined
    const hint: LiveHint | undefined = isNews ? { owner: target.userId, topic: 'posts', id: target.postId } : undefined
    mine(await writeLeased(system.db, everyoneScope(), target.id, token, whole, hint, call), sinceAsked)
    Object.assign(target, patch)
    writtenPhase = target.phase
    unwritten = {}
    return sinceAsked
  }
  const insist = async (write: () => Promise<void>): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      insisting += 1
      try {
        return await write()
      } catch (error) {
        if (
          error instanceof LeaseLost ||
          letGo.aborted ||
          tries >= (isDatabaseUnavailable(error) ? mostWrites.away : mostWrites.else)
        )
          throw error
        system.log.warn({ err: error, targetId: target.id }, 'what became of a step could not be written yet')
      } finally {
        insisting -= 1
      }
      await sleep(Math.min(longestPauseMs, 100 * 2 ** tries))
    }
  }
  return {
    token,
    target,
    signal: AbortSignal.any([lost.signal, letGo]),
    check,
    insist,
    async assertLease() {
      try {
        check()
        lost.signal.throwIfAborted()
        if (sinceProven !== undefined && sinceProven() < provenMs) return
        const sinceAsked = stopwatch(monotonic)
        if (!(await isLeaseHeld(system.db, everyoneScope(), target.id, token))) giveUp()
        // The lease is proven as of the moment of the question, however late the answer arrives.
        if (sinceAsked() > callMarginSeconds * 1000) throw new Error('the database answered too late')
        check()
        lost.signal.throwIfAborted()
      } catch (error) {
        throw new NotSent(error)
      }
    },
    async write(patch) {
      await write(patch)
    },
    writeLater(patch) {
      Object.assign(target, patch)
      unwritten = { ...unwritten, ...patch }
    },
    unwritten: () => unwritten,
    async writeCall(patch, drawnAt) {
      sinceProven = await write(patch, { drawnAt })
    },
    async save(patch) {
      await insist(async () => {
        if (Object.keys(unwritten).length > 0) {
          await write({ checkpoint: { ...target.checkpoint, ...patch } })
          return
        }
        const sinceAsked = stopwatch(monotonic)
        const checkpoint = await mergeCheckpoint(system.db, everyoneScope(), target.id, token, patch)
        mine(checkpoint !== undefined, sinceAsked)
        target.checkpoint = checkpoint ?? {}
      })
    },
    stop() {
      stopRenewing()
      here?.lost.removeEventListener('abort', giveUp)
    },
  }
}
