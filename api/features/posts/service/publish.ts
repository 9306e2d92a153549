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
  afterSilence,
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
import { awaitingNotice, releaseIfReconnected } from './await-account.ts'
import { endHeld } from './hold.ts'
import { holdLease, LeaseLost, NotSent } from './lease.ts'
import { jobFor, openAccount } from './prepare-job.ts'
import { networkNotConfigured, refreshLogin, refusedBy } from './refusals.ts'
import {
  closeAllowance,
  isDrawnByCall,
  laterNotice,
  renewAllowance,
  returnAllowance,
  settleAllowance,
  takeAllowance,
  waitingNotice,
} from './quota.ts'

/**
 * Takes one target as far as it goes now (docs/product/publishing.md). The job that asks for it is only an alarm clock: the claim decides
 * whether anything is to be done, and what is left is put to a later alarm in the transaction that writes it.
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
  const here = system.liveness.identity()
  const claimer = { token, holder: here?.id ?? null, attemptId }
  const target = await claimTarget(system.db, everyoneScope(), targetId, claimer, startedAt)
  if (!target) return await answerAlarm(system, targetId, startedAt)
  const lease = holdLease(system, target, token, here, signal)
  const attempt = { id: attemptId, startedAt, fromPhase: target.phase, wasPoll: isPoll(target) }
  try {
    await advance({ system, lease, stopping, attempt })
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    system.log.warn({ targetId, phase: lease.target.phase }, 'a lease was lost; whoever has it goes on')
  } finally {
    lease.stop()
  }
}

/**
 * An alarm rang for a target that could not be claimed at `triedAt`: a held one whose time has come has waited in vain. One that was not
 * due then wants a new alarm, also if its time has come since: no other alarm may be left.
 */
async function answerAlarm(system: System, targetId: string, triedAt: Date): Promise<void> {
  const found = await findUnclaimed(system.db, everyoneScope(), targetId)
  if (!found || found.leased || found.phase === 'posted' || found.phase === 'failed') return
  if (found.held && found.dueAt <= system.now()) await endHeld(system, targetId)
  else if (found.dueAt >= triedAt)
    await enqueuePublish(system, system.db, { id: targetId, at: found.dueAt }, priorityIn(found.phase))
}

/**
 * The worker that was publishing died in the one moment that matters: only a look may tell what came of it, and patience counts from
 * now on. The same goes for what an older version of this left, which did not note when a call ended.
 */
function isUnderWay(target: ClaimedTarget): boolean {
  return target.phase === 'publishing' || (target.lastPublishAt !== null && target.lastPublishEndedAt === null)
}

async function advance(run: Run): Promise<void> {
  const { system, lease, stopping } = run
  const { target } = lease
  if (isUnderWay(target)) {
    const found = { lastPublishEndedAt: system.now(), unanswered: Math.max(1, target.unanswered) }
    await lease.write(target.phase === 'confirming' ? found : { ...found, phase: 'unknown', polls: 0 })
  }
  if (!isOutcomeOpen(target.phase) && system.now() >= deadline(target)) {
    const message = missedMessage(target, target.errorMessage ?? '')
    return await concludeFailed(run, message, undefined, { unclear: mayBePublished(target) })
  }
  const steps = system.gateways.networks[target.platform]?.publish
  if (!steps) {
    const refused = networkNotConfigured(target)
    return await conclude(run, afterRefusal(target, refused, system.now(), true), refused)
  }

  let refreshed = false
  /** A fresh log-in was had and did not help: connecting again is not what is missing. */
  let renewed = false
  let account: AccountForPublish | undefined
  let job: PublishJob | undefined
  for (;;) {
    if (stopping.aborted && target.phase !== 'publishing')
      return await concludeWaiting(run, { dueAt: system.now() }, undefined)
    try {
      account ??= await openAccount(system, target)
      job ??= jobFor(system, lease, account)
      if (await takeStep(run, steps, job, account)) return
    } catch (thrown) {
      if (thrown instanceof LeaseLost) throw thrown
      if (lease.signal.reason instanceof LeaseLost) {
        // A request cut short because the lease was lost says nothing; nobody may act on it here.
        if (!isKnownToHaveFailed(target, thrown)) throw lease.signal.reason
        // Only this run knows that its irreversible call made nothing; else the target would be looked for, for as long as lists lag.
        const refused: Refused & AttemptError = { ...refusedBy(run, thrown), class: 'retry' }
        const decision = afterRefusal(target, refused, system.now(), true)
        return await lease.insist(async () => await conclude(run, decision, refused))
      }
      // The process has to end: the step begins again elsewhere. Only the irreversible call leaves a question behind.
      if (lease.signal.aborted && target.phase !== 'publishing')
        return await concludeWaiting(run, { dueAt: system.now() }, undefined)
      const refused = refusedBy(run, thrown)
      let decision = afterRefusal(target, refused, system.now(), refreshed)
      if (decision.kind === 'refresh') {
        refreshed = true
        const mended = await refreshLogin(system, target, account)
        account = undefined
        job = undefined
        if (mended === true) {
          renewed = true
          continue
        }
        if (!renewed && (mended ?? refused).class === 'reconnect' && isPlanned(target)) {
          return await awaitAccount(run, mended ? { ...refused, ...mended } : refused)
        }
        decision = afterRefusal(target, mended ?? refused, system.now(), true)
      }
      const pageUsername = account?.pageUsername
      const decided = decision
      const isLater = refused.class === 'later'
      return await lease.insist(async () => {
        if (isLater && refused.retryAt) await closeAllowance(system, target, refused.code, refused.retryAt)
        const notice = isLater ? laterNotice(target, decided, refused.message) : undefined
        await conclude(run, decided, refused, notice, { pageUsername })
      })
    }
  }
}

/** Whether the irreversible call that was being made has certainly made nothing. */
function isKnownToHaveFailed(target: ClaimedTarget, thrown: unknown): boolean {
  return (
    target.phase === 'publishing' &&
    (thrown instanceof NotSent || (thrown instanceof NetworkError && thrown.class !== 'unknown'))
  )
}

/** Only the artist can mend the log-in: a planned post waits for that, and goes on in the moment it is done. */
async function awaitAccount(run: Run, refused: Refused & AttemptError): Promise<void> {
  const { system, lease } = run
  const { target } = lease
  const hasPublished = target.firstPublishAt !== null
  if (!hasPublished) await settleAllowance(system.db, target)
  // Refusing the log-in is a clear answer to the call it refused.
  const course = target.phase === 'publishing' ? { ...target, unanswered: Math.max(0, target.unanswered - 1) } : target
  const decision = afterLostLogIn(course, refused.message, hasPublished, system.now())
  await conclude(run, decision, refused, awaitingNotice(target), { more: { awaitsAccount: true } })
  await releaseIfReconnected(system, target)
}

/** A look older than this does not justify sending again what may be there. */
const freshMs = 30_000

/** One step of the adapter. True: the run is concluded; false: the next step may follow at once. */
async function takeStep(run: Run, steps: PublishSteps, job: PublishJob, account: AccountForPublish): Promise<boolean> {
  const { system, lease, stopping } = run
  const { target } = lease
  if (target.phase === 'publishing') return await publish(run, steps, job)
  if (isOutcomeOpen(target.phase)) return await confirm(run, steps, job, account)
  const none = await takeAllowance(system, target, steps, job)
  if (none) {
    const decision = afterQuota(target, none.freesAt, none.message, target.firstPublishAt !== null, system.now())
    const error: AttemptError = { class: 'later', code: 'quota', message: none.message }
    await conclude(run, decision, error, waitingNotice(target, none, system.now()))
    return true
  }
  // A process that dies before something else is written has done nothing either.
  if (target.phase !== 'preparing') lease.writeLater({ phase: 'preparing', errorMessage: null })
  const prepared = await steps.prepare(job)
  if (prepared.state === 'working') return await keepAsking(run, steps, prepared.waitMs)
  if (prepared.state === 'queued') return await askAgain(run, afterQueued(target, prepared.waitMs, system.now()))
  if (stopping.aborted) return false
  const now = system.now()
  if (target.unanswered > 0 && now.getTime() - (run.lookedAt?.getTime() ?? 0) > freshMs) {
    await lease.write({ phase: 'unknown' })
    return false
  }
  if (target.unanswered >= maxUnanswered) throw new Error('what may be there twice was about to be sent again')
  // Committed before the call leaves: a worker that finds this phase without a living owner knows that the call may have left.
  const begun: TargetPatch = {
    phase: 'publishing',
    firstPublishAt: target.firstPublishAt ?? now,
    lastPublishAt: now,
    lastPublishEndedAt: null,
    unanswered: target.unanswered + 1,
    silentSince: null,
    polls: 0,
    errorMessage: null,
  }
  await lease.writeCall(begun, isDrawnByCall(target) ? now : undefined).catch((error: unknown) => {
    // It may stand there all the same: what is taken back then is this.
    Object.assign(target, begun)
    throw new NotSent(error)
  })
  // Counted outside after that commit, so that a backup without it is found to be older than this call.
  await system.progress.advance().catch((error: unknown) => {
    throw new NotSent(error)
  })
  return await publish(run, steps, job)
}

async function publish(run: Run, steps: PublishSteps, job: PublishJob): Promise<boolean> {
  const { system, lease } = run
  const { target } = lease
  const answer = await steps.publish(job)
  // Known from now on, whatever becomes of this run: each further write of it carries it.
  if (answer.remoteId !== null) target.remoteId = answer.remoteId
  if (answer.state === 'posted') {
    await concludePosted(run, steps, job, answer)
    return true
  }
  const answered = {
    lastPublishEndedAt: system.now(),
    unanswered: Math.max(0, target.unanswered - 1),
    remoteId: target.remoteId,
    ...(answer.checkpointPatch ? { checkpoint: { ...target.checkpoint, ...answer.checkpointPatch } } : {}),
  }
  await lease.insist(async () => await lease.write({ phase: 'confirming', polls: 0, ...answered }))
  if (answer.waitMs <= 0) return false
  await concludeWaiting(run, { dueAt: new Date(system.now().getTime() + answer.waitMs) }, undefined)
  return true
}

async function confirm(
  run: Run,
  steps: PublishSteps,
  job: PublishJob,
  { pageUsername }: AccountForPublish,
): Promise<boolean> {
  const { system, lease } = run
  const { target } = lease
  const found = await steps.confirm(job)
  switch (found.state) {
    case 'posted':
      await concludePosted(run, steps, job, { ...found, remoteId: found.remoteId ?? target.remoteId })
      return true
    case 'working':
      return await keepAsking(run, steps, found.waitMs)
    case 'unclear': {
      const error: AttemptError = { class: 'unknown', code: 'ambiguous_match', message: found.message }
      await concludeFailed(run, unclearMessage(target, found.message), error, { unclear: true, pageUsername })
      return true
    }
    case 'failed': {
      const { code, message, retryable } = found
      const error: AttemptError = { class: retryable ? 'retry' : 'permanent', code, message }
      if (retryable) await conclude(run, afterFailedUpload(target, message, system.now()), error)
      else await concludeFailed(run, message, error, { leftBehind: found.leftBehind, pageUsername }, { unanswered: 0 })
      return true
    }
    case 'absent':
      return await afterNoTrace(run, steps, found, pageUsername)
  }
}

/** A look found nothing. False: it counts, and the call is made again in this run. */
async function afterNoTrace(
  run: Run,
  steps: PublishSteps,
  found: ConfirmResult & { state: 'absent' },
  pageUsername: string | null,
): Promise<boolean> {
  const { system, lease } = run
  const { target } = lease
  const now = system.now()
  run.lookedAt = now
  const endedAt = target.lastPublishEndedAt ?? now
  const silentSince = target.silentSince ?? now
  const decision =
    found.evidence === 'proof'
      ? afterProof(target, endedAt, found.idsLapsed || target.idsLapsed, now)
      : afterSilence(
          target,
          {
            endedAt,
            silentSince,
            patienceMs: steps.evidenceOf(target.checkpoint).patienceMs,
            mayRepeat: found.mayRepeat,
            wasTaken: target.phase === 'confirming',
            idsLapsed: target.idsLapsed,
            polls: target.polls,
          },
          now,
        )
  if (decision.kind === 'repeat') {
    await beginAgain(run, decision)
    return false
  }
  const more = found.evidence === 'silence' ? { silentSince, polls: target.polls + 1 } : { silentSince: null }
  await conclude(run, decision, undefined, undefined, { more, pageUsername })
  return true
}

async function beginAgain({ system, lease }: Run, { tries, unanswered, restart }: Repeat): Promise<void> {
  if (restart) await renewAllowance(system.db, lease.target)
  await lease.write({
    phase: 'preparing',
    tries,
    unanswered,
    polls: 0,
    ...(restart ? { checkpoint: {}, idsLapsed: false, remoteId: null } : {}),
  })
}

/** The network is still at work: the same question after a growing gap. */
async function keepAsking(run: Run, steps: PublishSteps, waitMs: number | undefined): Promise<boolean> {
  const { target } = run.lease
  const shortest = Math.max(steps.shortestPollGapMs, waitMs ?? 0)
  return await askAgain(run, afterWorking(target, target.polls, steps.longestPollGapMs, shortest, run.system.now()))
}

/** The same step again, which is no try of its own. */
async function askAgain(run: Run, decision: Decision): Promise<boolean> {
  if (decision.kind === 'wait') {
    const { phase, dueAt, tries } = decision
    await concludeWaiting(run, { phase, dueAt, tries, polls: run.lease.target.polls + 1 }, undefined)
  } else await conclude(run, decision, undefined)
  return true
}

/** What goes with a decision: columns that it does not speak of, and how the page is called where it has to be looked at. */
type Aside = { more?: TargetPatch; pageUsername?: string | null | undefined }

/** Writes what was decided. An irreversible call that was under way has ended with it. */
async function conclude(
  run: Run,
  decision: Decision,
  error: AttemptError | undefined,
  notice?: ArtistNotice,
  { more = {}, pageUsername }: Aside = {},
): Promise<void> {
  if (decision.kind === 'refresh') throw new Error('a refresh was decided twice')
  const { target } = run.lease
  const { unanswered } = decision
  const wasUnderWay = target.phase === 'publishing'
  const ended = wasUnderWay ? { lastPublishEndedAt: run.system.now() } : {}
  if (wasUnderWay && unanswered === 0) await returnAllowance(run.system, target)
  if (decision.kind === 'fail') {
    const { message, unclear } = decision
    return await concludeFailed(run, message, error, { unclear, pageUsername }, { unanswered, ...ended })
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
      ...ended,
      ...(phase === target.phase ? {} : { polls: 0 }),
      ...(idsLapsed ? { idsLapsed: true } : {}),
      // Proven not to be there, or never made: a later look must not ask for it. Else what is known of it stays.
      ...(restart
        ? { checkpoint: {}, idsLapsed: false, progress: null, remoteId: null }
        : { remoteId: target.remoteId }),
      errorMessage: decision.message || null,
      ...more,
    },
    error,
    notice,
  )
}
