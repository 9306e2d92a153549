import { isBeingConfirmed } from '@flashsheet/contracts/posts/rules'
import type { System } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { everyoneScope } from '../../../core/scope.ts'
import {
  NetworkError,
  type ConfirmResult,
  type PublishJob,
  type PublishSteps,
} from '../../../gateways/networks/adapter.ts'
import type { ArtistNotice } from '../../notices/service.ts'
import type { AccountForPublish } from '../../social/service/publishing.ts'
import { enqueuePublish, priorityIn } from '../jobs.ts'
import { claimTarget, findUnclaimed, isPoll, type ClaimedTarget, type TargetPatch } from '../queries/leases.ts'
import {
  afterFailedUpload,
  afterLostLogIn,
  afterProof,
  afterQueued,
  afterQuota,
  afterRefusal,
  afterInconclusive,
  afterWorking,
  deadline,
  isOutcomeOpen,
  isPlanned,
  mayBePublished,
  missedMessage,
  maxUnanswered,
  unclearMessage,
  type Decision,
  type Refused,
  type Repeat,
} from '../rules/retry.ts'
import { concludeFailed, concludePosted, concludeWaiting, type AttemptError, type Run } from './conclude.ts'
import { awaitingNotice } from './await-account.ts'
import { endHeld } from './hold.ts'
import { holdLease, LeaseLost, NotSent } from './lease.ts'
import { jobFor, openAccount } from './prepare-job.ts'
import { networkNotConfigured, refreshLogin, refusedBy } from './refusals.ts'
import {
  markAllowanceExhausted,
  isDrawnByCall,
  laterNotice,
  renewAllowance,
  releaseAllowance,
  settleAllowance,
  reserveAllowance,
  waitingNotice,
} from './quota.ts'

/**
 * Runs one target's steps as far as possible now (docs/product/publishing.md). The job is only an alarm: the claim decides whether there is
 * anything to do, and the next alarm is enqueued in the transaction that writes the outcome.
 * Safe to run any number of times, in any number of processes.
 */
export async function publishTarget(
  system: System,
  targetId: string,
  signal: AbortSignal,
  stopping: AbortSignal = signal,
): Promise<void> {
  if (!(await system.progress.mayClaim())) return
  const [token, attemptId, startedAt] = [newId(), newId(), system.now()]
  const worker = system.liveness.identity()
  const claimer = { token, holder: worker?.id ?? null, attemptId }
  const claimed = await claimTarget(system.db, everyoneScope(), targetId, claimer, startedAt)
  if (!claimed) return await handleUnclaimedAlarm(system, targetId, startedAt)
  const lease = holdLease(system, claimed, token, worker, signal)
  const { target } = lease
  const attempt = { id: attemptId, startedAt, fromPhase: target.phase, wasPoll: isPoll(target) }
  try {
    await advance({ system, lease, target, stopping, attempt })
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    system.log.warn({ targetId, phase: target.phase }, 'a lease was lost; its new holder continues')
  } finally {
    lease.stop()
  }
}

/**
 * Handles the alarm of a target that could not be claimed at `triedAt`. A held target whose time has come fails. One that was not due at
 * `triedAt` gets a new alarm even if it is due by now, because this alarm may have been its last.
 */
async function handleUnclaimedAlarm(system: System, targetId: string, triedAt: Date): Promise<void> {
  const target = await findUnclaimed(system.db, everyoneScope(), targetId)
  if (!target || target.leased || target.phase === 'posted' || target.phase === 'failed') return
  if (target.held && target.dueAt <= system.now()) await endHeld(system, targetId)
  else if (target.dueAt >= triedAt)
    await enqueuePublish(system, system.db, { id: targetId, at: target.dueAt }, priorityIn(target.phase))
}

/**
 * Whether a worker died during the irreversible call, so that its outcome is unknown: only `confirm` may find it out, and the grace
 * period starts now. Rows of a release that did not record when a call ended count as well.
 */
function isCallUnfinished(target: ClaimedTarget): boolean {
  return target.phase === 'publishing' || (target.lastPublishAt !== null && target.lastPublishEndedAt === null)
}

async function advance(run: Run): Promise<void> {
  const { system, lease, target, stopping } = run
  if (isCallUnfinished(target)) {
    const callEnded = { lastPublishEndedAt: system.now(), unanswered: Math.max(1, target.unanswered) }
    await lease.write(target.phase === 'confirming' ? callEnded : { ...callEnded, phase: 'unknown', polls: 0 })
  }
  if (!isOutcomeOpen(target.phase) && system.now() >= deadline(target)) {
    const message = missedMessage(target, target.errorMessage ?? '')
    return await concludeFailed(run, message, undefined, { unclear: mayBePublished(target) })
  }
  const steps = system.gateways.networks[target.platform]?.publish
  if (!steps) {
    const refused = networkNotConfigured(target)
    return await conclude(run, afterRefusal(target, refused, system.now()), refused)
  }

  let refreshTried = false
  let account: AccountForPublish | undefined
  let job: PublishJob | undefined
  for (;;) {
    if (stopping.aborted && target.phase !== 'publishing') return await concludeWaiting(run, { dueAt: system.now() })
    try {
      account ??= await openAccount(system, target)
      run.pageUsername = account.pageUsername
      job ??= jobFor(system, lease, account)
      if (await runStep(run, steps, job)) return
    } catch (thrown) {
      if (thrown instanceof LeaseLost) throw thrown
      if (lease.signal.reason instanceof LeaseLost) return await concludeWithoutLease(run, thrown, lease.signal.reason)
      // The process is shutting down, so another worker repeats the step. Only an interrupted irreversible call has an unknown outcome.
      if (lease.signal.aborted && target.phase !== 'publishing')
        return await concludeWaiting(run, { dueAt: system.now() })
      const refused = refusedBy(run, thrown)
      let final = refused
      if (refused.class === 'reconnect' && !refreshTried) {
        refreshTried = true
        const refreshRefusal = await refreshLogin(system, target, account)
        if (refreshRefusal === true) {
          account = undefined
          job = undefined
          continue
        }
        final = { ...refused, ...refreshRefusal }
        if (final.class === 'reconnect' && isPlanned(target)) return await awaitAccount(run, final)
      }
      const decision = afterRefusal(target, final, system.now())
      const isLater = refused.class === 'later'
      const notice = isLater ? laterNotice(target, decision, refused.message) : undefined
      return await lease.retryUntilWritten(async () => {
        if (isLater && refused.retryAt) await markAllowanceExhausted(system, target, refused.code, refused.retryAt)
        await conclude(run, decision, refused, { notice })
      })
    }
  }
}

/**
 * A step failed after the lease was presumed lost. Its outcome is unknown, and only the new lease holder may act on it. The exception is an
 * irreversible call that certainly failed: only this run knows, so it writes that if no other worker has claimed the target yet; otherwise
 * the next run would confirm until the grace period ends. Throws LeaseLost.
 */
async function concludeWithoutLease(run: Run, thrown: unknown, leaseLost: LeaseLost): Promise<void> {
  const { system, lease, target } = run
  if (!hasCallCertainlyFailed(target, thrown)) throw leaseLost
  const refused: Refused & AttemptError = { ...refusedBy(run, thrown), class: 'retry' }
  const decision = afterRefusal(target, refused, system.now())
  await lease.retryUntilWritten(async () => await conclude(run, decision, refused))
}

/** Whether the irreversible call that was under way has certainly made no post. */
function hasCallCertainlyFailed(target: ClaimedTarget, thrown: unknown): boolean {
  return (
    target.phase === 'publishing' &&
    (thrown instanceof NotSent || (thrown instanceof NetworkError && thrown.class !== 'unknown'))
  )
}

/** Only the artist can reconnect the account: a planned post waits until then. */
async function awaitAccount(run: Run, refused: Refused & AttemptError): Promise<void> {
  const { system, target } = run
  if (target.firstPublishAt === null) await settleAllowance(system.db, target)
  const decision = afterLostLogIn(target, refused.message, system.now())
  await conclude(run, decision, refused, {
    notice: awaitingNotice(target),
    extraColumns: { awaitsAccount: true },
  })
}

/** A post that may exist is sent again only if a `confirm` younger than this did not find it. */
const absenceValidMs = 30_000

/** One step of the adapter. True: the run is concluded; false: the next step may follow at once. */
async function runStep(run: Run, steps: PublishSteps, job: PublishJob): Promise<boolean> {
  const { system, lease, target, stopping } = run
  if (target.phase === 'publishing') return await publish(run, steps, job)
  if (isOutcomeOpen(target.phase)) return await confirm(run, steps, job)
  const quotaExhausted = await reserveAllowance(system, target, steps, job)
  if (quotaExhausted) {
    const { freesAt, message } = quotaExhausted
    const now = system.now()
    const decision = afterQuota(target, freesAt, message, now)
    const error: AttemptError = { class: 'later', code: 'quota', message }
    await conclude(run, decision, error, { notice: waitingNotice(target, quotaExhausted, now) })
    return true
  }
  // Not written at once: a process that dies before its next write has done nothing at the network either.
  if (target.phase !== 'preparing') lease.writeLater({ phase: 'preparing', errorMessage: null })
  const prepared = await steps.prepare(job)
  if (prepared.state === 'working') return await pollLater(run, steps, prepared.waitMs)
  if (prepared.state === 'queued') return await repeatStep(run, afterQueued(target, prepared.waitMs, system.now()))
  if (stopping.aborted) return false
  const now = system.now()
  if (target.unanswered > 0 && now.getTime() - (run.absentAt?.getTime() ?? 0) > absenceValidMs) {
    await lease.write({ phase: 'unknown' })
    return false
  }
  if (target.unanswered >= maxUnanswered) throw new Error('a post that may exist twice was about to be sent again')
  // Committed before the call is sent: a worker that finds this phase with a dead lease holder knows that the call may have been sent.
  const callStarted: TargetPatch = {
    phase: 'publishing',
    firstPublishAt: target.firstPublishAt ?? now,
    lastPublishAt: now,
    lastPublishEndedAt: null,
    unanswered: target.unanswered + 1,
    inconclusiveSince: null,
    polls: 0,
    errorMessage: null,
  }
  await lease.writeCall(callStarted, isDrawnByCall(target) ? now : undefined).catch((error: unknown) => {
    // The write may be committed although its answer was lost, so the rollback covers these values too.
    Object.assign(target, callStarted)
    throw new NotSent(error)
  })
  // Counted outside the database after that commit, so that a restored backup without the commit is recognised as older than this call.
  await system.progress.advance().catch((error: unknown) => {
    throw new NotSent(error)
  })
  return await publish(run, steps, job)
}

async function publish(run: Run, steps: PublishSteps, job: PublishJob): Promise<boolean> {
  const { system, lease, target } = run
  const answer = await steps.publish(job)
  // Set in memory, so that each further write of this run stores it.
  if (answer.remoteId !== null) target.remoteId = answer.remoteId
  if (answer.state === 'posted') {
    await concludePosted(run, steps, job, answer)
    return true
  }
  const answered = {
    lastPublishEndedAt: system.now(),
    unanswered: Math.max(0, target.unanswered - 1),
    remoteId: target.remoteId,
  }
  await lease.retryUntilWritten(async () => await lease.write({ phase: 'confirming', polls: 0, ...answered }))
  if (answer.waitMs <= 0) return false
  await concludeWaiting(run, { dueAt: new Date(system.now().getTime() + answer.waitMs) })
  return true
}

async function confirm(run: Run, steps: PublishSteps, job: PublishJob): Promise<boolean> {
  const { system, target } = run
  const result = await steps.confirm(job)
  switch (result.state) {
    case 'posted':
      await concludePosted(run, steps, job, { ...result, remoteId: result.remoteId ?? target.remoteId })
      return true
    case 'working':
      return await pollLater(run, steps, result.waitMs)
    case 'unclear': {
      const error: AttemptError = { class: 'unknown', code: 'ambiguous_match', message: result.message }
      await concludeFailed(run, unclearMessage(target, result.message), error, { unclear: true })
      return true
    }
    case 'failed': {
      const { code, message, retryable } = result
      const error: AttemptError = { class: retryable ? 'retry' : 'permanent', code, message }
      if (retryable) await conclude(run, afterFailedUpload(target, message, system.now()), error)
      else await concludeFailed(run, message, error, { leftBehind: result.leftBehind }, { unanswered: 0 })
      return true
    }
    case 'absent':
      return await handleAbsent(run, steps, result)
  }
}

/** `confirm` did not find the post. True: the run is concluded; false: the call is repeated in this run. */
async function handleAbsent(
  run: Run,
  steps: PublishSteps,
  result: ConfirmResult & { state: 'absent' },
): Promise<boolean> {
  const { system, target } = run
  const now = system.now()
  run.absentAt = now
  const decision =
    result.evidence === 'proof'
      ? afterProof(target, result.idsLapsed, now)
      : afterInconclusive(target, { ...steps.evidenceOf(target.checkpoint), mayRepeat: result.mayRepeat }, now)
  if (decision.kind === 'repeat') {
    await restartAttempt(run, decision)
    return false
  }
  const extraColumns =
    result.evidence === 'inconclusive'
      ? { inconclusiveSince: target.inconclusiveSince ?? now, polls: target.polls + 1 }
      : { inconclusiveSince: null }
  await conclude(run, decision, undefined, { extraColumns })
  return true
}

async function restartAttempt({ system, lease, target }: Run, { tries, unanswered, restart }: Repeat): Promise<void> {
  if (restart) await renewAllowance(system.db, target)
  await lease.write({
    phase: 'preparing',
    tries,
    unanswered,
    polls: 0,
    ...(restart ? { checkpoint: {}, idsLapsed: false, remoteId: null } : {}),
  })
}

/** The network is still processing: the step is repeated after a growing delay. */
async function pollLater(run: Run, steps: PublishSteps, waitMs: number | undefined): Promise<boolean> {
  const { target } = run
  const shortest = Math.max(steps.shortestPollGapMs, waitMs ?? 0)
  return await repeatStep(run, afterWorking(target, steps.longestPollGapMs, shortest, run.system.now()))
}

/** Repeats the step later, without counting a try. */
async function repeatStep(run: Run, decision: Decision): Promise<boolean> {
  if (decision.kind === 'wait') {
    const { phase, dueAt, tries } = decision
    await concludeWaiting(run, { phase, dueAt, tries, polls: run.target.polls + 1 })
  } else await conclude(run, decision, undefined)
  return true
}

/** Writes a decision, and that an irreversible call under way has ended. */
async function conclude(
  run: Run,
  decision: Decision,
  error: AttemptError | undefined,
  { notice, extraColumns }: { notice?: ArtistNotice | undefined; extraColumns?: TargetPatch } = {},
): Promise<void> {
  const { target } = run
  const { unanswered } = decision
  const now = run.system.now()
  const endsCall = target.phase === 'publishing'
  // The upload may have made the post although no call is recorded. It counts as a call that ends now, since the waits begin at its end.
  const isCallUnrecorded =
    decision.kind === 'wait' && isBeingConfirmed(decision.phase) && target.lastPublishEndedAt === null
  const callEnded =
    endsCall || isCallUnrecorded
      ? {
          firstPublishAt: target.firstPublishAt ?? target.scheduledAt,
          lastPublishAt: target.lastPublishAt ?? now,
          lastPublishEndedAt: now,
        }
      : {}
  if (endsCall && unanswered === 0) await releaseAllowance(run.system, target)
  if (decision.kind === 'fail') {
    const { message, unclear } = decision
    return await concludeFailed(run, message, error, { unclear }, { unanswered, ...callEnded })
  }
  const { phase, dueAt, tries, waitedMs, restart, idsLapsed } = decision
  if (restart) await renewAllowance(run.system.db, target)
  await concludeWaiting(
    run,
    {
      phase,
      dueAt,
      tries,
      waitedMs,
      unanswered,
      ...callEnded,
      ...(phase === target.phase ? {} : { polls: 0 }),
      ...(idsLapsed ? { idsLapsed: true } : {}),
      // After a restart no post exists, so `confirm` must not ask for the old ids.
      ...(restart
        ? { checkpoint: {}, idsLapsed: false, progress: null, remoteId: null }
        : { remoteId: target.remoteId }),
      errorMessage: decision.message || null,
      ...extraColumns,
    },
    error,
    notice,
  )
}
