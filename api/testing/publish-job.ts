import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { TargetPhase } from '@flashsheet/contracts/posts/limits'
import type { VariantOptions } from '@flashsheet/contracts/posts/schema'
import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import { newId } from '../core/ids.ts'
import {
  afterFailedReconcile,
  afterFailedUpload,
  afterProof,
  afterRefusal,
  afterInconclusive,
  afterWorking,
  isOutcomeOpen,
  maxUnanswered,
  unclearMessage,
  type Decision,
  type Repeat,
} from '../features/posts/rules/retry.ts'
import {
  NetworkError,
  type ConfirmResult,
  type ReconcileResult,
  type PublishJob,
  type PublishMedia,
  type PublishSteps,
} from '../gateways/networks/adapter.ts'

/** A target with the columns of its row, in memory. */
export type Target = {
  id: string
  title: string
  message: string
  options: VariantOptions
  media: readonly PublishMedia[]
  phase: TargetPhase
  checkpoint: Record<string, unknown>
  remoteId: string | null
  permalink: string | null
  firstPublishAt: Date | null
  lastPublishAt: Date | null
  lastPublishEndedAt: Date | null
  unanswered: number
  inconclusiveSince: Date | null
  tries: number
  polls: number
  idsLapsed: boolean
  errorMessage: string | null
  scheduledAt: Date
  progress: number[]
  /** Every refusal so far, e.g. `retry timeout`. */
  refusals: string[]
}

export type TargetContent = {
  title?: string
  message?: string
  options?: VariantOptions
  media: readonly PublishMedia[]
}

export function newTarget({ title = '', message = '', options = {}, media }: TargetContent): Target {
  return {
    id: newId(),
    title,
    message,
    options,
    media,
    phase: 'claimed',
    checkpoint: {},
    remoteId: null,
    permalink: null,
    firstPublishAt: null,
    lastPublishAt: null,
    lastPublishEndedAt: null,
    unanswered: 0,
    inconclusiveSince: null,
    tries: 0,
    polls: 0,
    idsLapsed: false,
    errorMessage: null,
    scheduledAt: new Date(),
    progress: [],
    refusals: [],
  }
}

/** Thrown when the worker has died: it writes nothing any more. */
class WorkerDied extends Error {}

/** The dependencies of a run. */
type PublishRunnerContext = {
  platform: Platform
  steps: PublishSteps
  /** The parts of a job that belong to the account. */
  account: () => Pick<PublishJob, 'accessToken' | 'pageAccessToken' | 'providerUserId' | 'pageId' | 'pageUsername'>
  /** Refreshes the token once; false when that failed. */
  refresh: () => Promise<boolean>
  /** Called with everything that is saved. */
  saved: (patch: Record<string, unknown>) => void
  isDead: () => boolean
  revive: () => void
  /** Milliseconds that the network's asynchronous work takes. A simulated wait really lasts a little longer, unless it is shorter itself. */
  networkMs: number
}

const pauseBetweenRunsMs = 8
const maxRuns = 400

/**
 * Runs targets through an adapter's steps without a database, by the product's own rules (`posts/rules/retry.ts`):
 * prepare → publish → confirm → link. Waits between polls and pauses that a network requests are simulated.
 */
export function createPublishRunner(context: PublishRunnerContext) {
  const { platform, steps } = context
  const assertAlive = (): void => {
    if (context.isDead()) throw new WorkerDied()
  }
  const retryState = ({ phase, tries, scheduledAt, unanswered }: Target) => ({
    platform,
    phase,
    tries,
    scheduledAt,
    waitedMs: 0,
    unanswered,
  })

  const jobOf = (target: Target): PublishJob => ({
    ...context.account(),
    targetId: target.id,
    title: target.title,
    message: target.message,
    options: target.options,
    media: async () => await Promise.resolve(target.media),
    get checkpoint() {
      return target.checkpoint
    },
    get remoteId() {
      return target.remoteId
    },
    get firstPublishAt() {
      return target.firstPublishAt
    },
    get lastPublishAt() {
      return target.lastPublishAt
    },
    get unanswered() {
      return target.unanswered
    },
    assertLease: async () => await Promise.resolve(assertAlive()),
    saveLater: (patch) => void (target.checkpoint = { ...target.checkpoint, ...patch }),
    async save(patch) {
      assertAlive()
      const stored = JSON.parse(JSON.stringify(patch)) as Record<string, unknown>
      target.checkpoint = { ...target.checkpoint, ...stored }
      context.saved(stored)
      await Promise.resolve()
    },
    async progress(percent) {
      target.progress.push(percent)
      await Promise.resolve()
    },
    // No other target uses this login.
    acquireTurn: async () => await Promise.resolve({ end: async () => await Promise.resolve() }),
    // No other target uses this page; two on one page are in `posts/ambiguous-posts.test.ts`.
    concurrentPublishes: async () => await Promise.resolve([]),
    signal: new AbortController().signal,
    now: () => new Date(),
  })

  const decide = (target: Target, decision: Decision): void => {
    if (target.phase === 'publishing') target.lastPublishEndedAt = new Date()
    target.unanswered = decision.unanswered
    if (decision.kind === 'fail') {
      Object.assign(target, { phase: 'failed', errorMessage: decision.message })
      return
    }
    if (decision.phase !== target.phase) target.polls = 0
    Object.assign(target, { phase: decision.phase, tries: decision.tries, errorMessage: decision.message || null })
    if (decision.idsLapsed) target.idsLapsed = true
    if (decision.restart) Object.assign(target, { checkpoint: {}, idsLapsed: false, remoteId: null })
  }

  const simulateWait = async (target: Target, ms: number): Promise<void> => {
    shiftTimesBack(target, ms)
    // The sandbox works in real time, so the wait must last as long as that work takes.
    await new Promise((resolve) => setTimeout(resolve, Math.min(ms, context.networkMs + 5)))
  }

  const pollLater = async (target: Target, waitMs: number | undefined): Promise<void> => {
    const now = new Date()
    const decision = afterWorking(
      retryState(target),
      target.polls,
      steps.longestPollGapMs,
      Math.max(steps.shortestPollGapMs, waitMs ?? 0),
      now,
    )
    decide(target, decision)
    target.polls += 1
    if (decision.kind === 'wait') await simulateWait(target, decision.dueAt.getTime() - now.getTime())
  }

  const conclude = async (
    target: Target,
    answer: { remoteId: string | null; permalink: string | null },
  ): Promise<void> => {
    const remoteId = answer.remoteId ?? target.remoteId
    const permalink =
      answer.permalink ?? (remoteId === null ? null : await steps.link(jobOf(target), remoteId).catch(() => null))
    assertAlive()
    Object.assign(target, { phase: 'posted', remoteId, permalink, errorMessage: null })
  }

  const publish = async (target: Target): Promise<void> => {
    const answer = await steps.publish(jobOf(target))
    assertAlive()
    if (answer.remoteId !== null) {
      context.saved({ remoteId: answer.remoteId })
      target.remoteId = answer.remoteId
    }
    if (answer.state === 'posted') return await conclude(target, answer)
    Object.assign(target, {
      phase: 'confirming',
      polls: 0,
      lastPublishEndedAt: new Date(),
      unanswered: target.unanswered - 1,
    })
  }

  /** Throws when the network reports that the daily allowance is used up. */
  const checkAllowance = async (target: Target): Promise<void> => {
    const usage = Object.keys(target.checkpoint).length === 0 ? await steps.allowance?.(jobOf(target)) : undefined
    assertAlive()
    if (usage && usage.used >= usage.limit)
      throw new NetworkError('later', 'quota', 'used up', { retryAt: new Date(Date.now() + 3_600_000) })
  }

  /** Confirms a target. True when the network is still working. */
  const confirm = async (target: Target): Promise<boolean> => {
    const result = await steps.confirm(jobOf(target))
    assertAlive()
    switch (result.state) {
      case 'posted':
        await conclude(target, result)
        return false
      case 'working':
        await pollLater(target, result.waitMs)
        return true
      case 'unclear':
        Object.assign(target, { phase: 'failed', errorMessage: unclearMessage(retryState(target), result.message) })
        return false
      case 'failed':
        if (result.retryable) decide(target, afterFailedUpload(retryState(target), result.message, new Date()))
        else Object.assign(target, { phase: 'failed', errorMessage: result.message })
        return false
      case 'absent':
        return await handleAbsent(target, result)
    }
  }

  /** True when it must be confirmed again later. */
  const handleAbsent = async (target: Target, result: ConfirmResult & { state: 'absent' }): Promise<boolean> => {
    const now = new Date()
    const endedAt = target.lastPublishEndedAt ?? now
    const inconclusiveSince = (target.inconclusiveSince ??= now)
    const { gracePeriodMs } = steps.evidenceOf(target.checkpoint)
    const { idsLapsed, polls } = target
    const decision: Repeat | Decision =
      result.evidence === 'proof'
        ? afterProof(retryState(target), endedAt, result.idsLapsed || idsLapsed, now)
        : afterInconclusive(
            retryState(target),
            {
              endedAt,
              inconclusiveSince,
              gracePeriodMs,
              mayRepeat: result.mayRepeat,
              wasTaken: target.phase === 'confirming',
              idsLapsed,
              polls,
            },
            now,
          )
    if (decision.kind === 'repeat') {
      Object.assign(target, { phase: 'preparing', tries: decision.tries, unanswered: decision.unanswered, polls: 0 })
      if (decision.restart) Object.assign(target, { checkpoint: {}, idsLapsed: false, remoteId: null })
      return false
    }
    decide(target, decision)
    target.polls += 1
    if (decision.kind === 'wait') await simulateWait(target, decision.dueAt.getTime() - now.getTime())
    return true
  }

  const step = async (target: Target): Promise<boolean> => {
    if (target.phase === 'publishing') {
      await publish(target)
      return false
    }
    if (isOutcomeOpen(target.phase)) return await confirm(target)
    target.phase = 'preparing'
    await checkAllowance(target)
    const prepared = await steps.prepare(jobOf(target))
    assertAlive()
    if (prepared.state === 'queued') throw new Error('no other target uses this login')
    if (prepared.state === 'working') {
      await pollLater(target, prepared.waitMs)
      return true
    }
    if (target.unanswered >= maxUnanswered)
      throw new Error('the target was about to be published again after too many unanswered calls')
    const now = new Date()
    const callStarted = {
      firstPublishAt: target.firstPublishAt ?? now,
      lastPublishAt: now,
      lastPublishEndedAt: null,
      unanswered: target.unanswered + 1,
      inconclusiveSince: null,
    }
    Object.assign(target, { phase: 'publishing', errorMessage: null, ...callStarted })
    return false
  }

  /** One worker's run of a target. */
  const runWorker = async (target: Target): Promise<void> => {
    // The previous worker died during the irreversible call, so its outcome is unknown and only `confirm` may find it out.
    if (target.phase === 'publishing')
      Object.assign(target, { phase: 'unknown', polls: 0, lastPublishEndedAt: new Date() })
    let refreshed = false
    for (;;) {
      try {
        if ((await step(target)) || target.phase === 'posted' || target.phase === 'failed') return
      } catch (thrown) {
        assertAlive()
        if (!(thrown instanceof NetworkError)) throw thrown
        target.refusals.push(`${thrown.class} ${thrown.code}`)
        if (thrown.class === 'reconnect' && !refreshed) {
          refreshed = true
          if (await context.refresh()) continue
        }
        const decision = afterRefusal(retryState(target), thrown, new Date())
        if (thrown.class === 'later' && !isOutcomeOpen(target.phase))
          await simulateWait(target, (thrown.retryAt?.getTime() ?? Date.now()) - Date.now())
        return decide(target, decision)
      }
    }
  }

  return {
    /** Runs a target until it is final; another worker follows one that dies. Throws when it does not become final. */
    async run(target: Target): Promise<Target> {
      for (let run = 0; run < maxRuns; run++) {
        if (target.phase === 'posted' || target.phase === 'failed') return target
        try {
          await runWorker(target)
        } catch (error) {
          if (!(error instanceof WorkerDied)) throw error
          context.revive()
        }
        await new Promise((resolve) => setTimeout(resolve, pauseBetweenRunsMs))
      }
      throw new Error(`the target did not become final: ${target.phase} ${JSON.stringify(target.refusals)}`)
    },
    /**
     * Reconciles a posted target once. A fault that was planned for the run may hit this request, when the run needed
     * fewer requests than expected.
     */
    async reconcilePosted(target: Target): Promise<ReconcileResult> {
      try {
        return (await steps.reconcilePosted?.(jobOf(target), target.remoteId)) ?? { state: 'settled' }
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error
        return afterFailedReconcile(error.class)
      }
    },
  }
}

/** Whether a target failed with an unknown outcome, so that its post may exist. */
export function isUnclear(platform: Platform, target: Target): boolean {
  return (
    target.phase === 'failed' && (target.errorMessage ?? '').startsWith(postMessages.unclear(platformNames[platform]))
  )
}

/** Shifts the times of a target back, as if `ms` had passed. */
function shiftTimesBack(target: Target, ms: number): void {
  const earlier = (at: Date | null): Date | null => at && new Date(at.getTime() - ms)
  target.firstPublishAt = earlier(target.firstPublishAt)
  target.lastPublishAt = earlier(target.lastPublishAt)
  target.lastPublishEndedAt = earlier(target.lastPublishEndedAt)
  target.inconclusiveSince = earlier(target.inconclusiveSince)
  for (const [name, value] of Object.entries(target.checkpoint)) {
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value))
      target.checkpoint[name] = new Date(Date.parse(value) - ms).toISOString()
  }
}
