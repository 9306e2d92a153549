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
  afterSilence,
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

/** A target: the columns of the engine's row, in memory. */
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
  silentSince: Date | null
  tries: number
  polls: number
  idsLapsed: boolean
  errorMessage: string | null
  scheduledAt: Date
  progress: number[]
  /** Every refusal so far, e.g. `retry timeout`. */
  refusals: string[]
}

export type Words = { title?: string; message?: string; options?: VariantOptions; media: readonly PublishMedia[] }

export function newTarget({ title = '', message = '', options = {}, media }: Words): Target {
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
    silentSince: null,
    tries: 0,
    polls: 0,
    idsLapsed: false,
    errorMessage: null,
    scheduledAt: new Date(),
    progress: [],
    refusals: [],
  }
}

/** The worker died: nothing is written any more. */
class Died extends Error {}

/** The dependencies of a run. */
export type PublishRunnerContext = {
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
  /** How long the network's asynchronous work takes: a simulated wait lasts at least this long there. */
  networkMs: number
}

const restMs = 8
const mostTurns = 400

/**
 * Runs targets through an adapter's steps by the engine's own rules (`posts/rules/retry.ts`), without a database:
 * prepare → publish → confirm → link. Waits between polls and requested pauses are simulated.
 */
export function createPublishRunner(context: PublishRunnerContext) {
  const { platform, steps } = context
  const alive = (): void => {
    if (context.isDead()) throw new Died()
  }
  const course = ({ phase, tries, scheduledAt, unanswered }: Target) => ({
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
    assertLease: async () => await Promise.resolve(alive()),
    saveLater: (patch) => void (target.checkpoint = { ...target.checkpoint, ...patch }),
    async save(patch) {
      alive()
      const kept = JSON.parse(JSON.stringify(patch)) as Record<string, unknown>
      target.checkpoint = { ...target.checkpoint, ...kept }
      context.saved(kept)
      await Promise.resolve()
    },
    async progress(percent) {
      target.progress.push(percent)
      await Promise.resolve()
    },
    // No other target uses this login.
    takeTurn: async () => await Promise.resolve({ end: async () => await Promise.resolve() }),
    // No other target uses this page; two on one page are in `posts/ambiguous-posts.test.ts`.
    concurrentPublishes: async () => await Promise.resolve([]),
    signal: new AbortController().signal,
    now: () => new Date(),
  })

  const decide = (target: Target, decision: Decision): void => {
    if (decision.kind === 'refresh') throw new Error('a refresh was decided twice')
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

  const pass = async (target: Target, ms: number): Promise<void> => {
    age(target, ms)
    // The network's clock is the real one: it must really have had this time.
    await new Promise((resolve) => setTimeout(resolve, Math.min(ms, context.networkMs + 5)))
  }

  const keepAsking = async (target: Target, waitMs: number | undefined): Promise<void> => {
    const now = new Date()
    const decision = afterWorking(
      course(target),
      target.polls,
      steps.longestPollGapMs,
      Math.max(steps.shortestPollGapMs, waitMs ?? 0),
      now,
    )
    decide(target, decision)
    target.polls += 1
    if (decision.kind === 'wait') await pass(target, decision.dueAt.getTime() - now.getTime())
  }

  const conclude = async (
    target: Target,
    answer: { remoteId: string | null; permalink: string | null },
  ): Promise<void> => {
    const remoteId = answer.remoteId ?? target.remoteId
    const permalink =
      answer.permalink ?? (remoteId === null ? null : await steps.link(jobOf(target), remoteId).catch(() => null))
    alive()
    Object.assign(target, { phase: 'posted', remoteId, permalink, errorMessage: null })
  }

  const publish = async (target: Target): Promise<void> => {
    const answer = await steps.publish(jobOf(target))
    alive()
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
    Object.assign(target.checkpoint, answer.checkpointPatch)
  }

  /** As the engine does before a run; it counts without the database here. */
  const askAllowance = async (target: Target): Promise<void> => {
    const said = Object.keys(target.checkpoint).length === 0 ? await steps.allowance?.(jobOf(target)) : undefined
    alive()
    if (said && said.used >= said.limit)
      throw new NetworkError('later', 'quota', 'used up', { retryAt: new Date(Date.now() + 3_600_000) })
  }

  /** True when the network is still working. */
  const confirm = async (target: Target): Promise<boolean> => {
    const found = await steps.confirm(jobOf(target))
    alive()
    switch (found.state) {
      case 'posted':
        await conclude(target, found)
        return false
      case 'working':
        await keepAsking(target, found.waitMs)
        return true
      case 'unclear':
        Object.assign(target, { phase: 'failed', errorMessage: unclearMessage(course(target), found.message) })
        return false
      case 'failed':
        if (found.retryable) decide(target, afterFailedUpload(course(target), found.message, new Date()))
        else Object.assign(target, { phase: 'failed', errorMessage: found.message })
        return false
      case 'absent':
        return await afterNoTrace(target, found)
    }
  }

  /** True when it must be confirmed again later. */
  const afterNoTrace = async (target: Target, found: ConfirmResult & { state: 'absent' }): Promise<boolean> => {
    const now = new Date()
    const endedAt = target.lastPublishEndedAt ?? now
    const silentSince = (target.silentSince ??= now)
    const { patienceMs } = steps.evidenceOf(target.checkpoint)
    const { idsLapsed, polls } = target
    const decision: Repeat | Decision =
      found.evidence === 'proof'
        ? afterProof(course(target), endedAt, found.idsLapsed || idsLapsed, now)
        : afterSilence(
            course(target),
            {
              endedAt,
              silentSince,
              patienceMs,
              mayRepeat: found.mayRepeat,
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
    if (decision.kind === 'wait') await pass(target, decision.dueAt.getTime() - now.getTime())
    return true
  }

  const step = async (target: Target): Promise<boolean> => {
    if (target.phase === 'publishing') {
      await publish(target)
      return false
    }
    if (isOutcomeOpen(target.phase)) return await confirm(target)
    target.phase = 'preparing'
    await askAllowance(target)
    const prepared = await steps.prepare(jobOf(target))
    alive()
    if (prepared.state === 'queued') throw new Error('no other target uses this login')
    if (prepared.state === 'working') {
      await keepAsking(target, prepared.waitMs)
      return true
    }
    if (target.unanswered >= maxUnanswered) throw new Error('what may be there twice was about to be sent again')
    const now = new Date()
    const begun = {
      firstPublishAt: target.firstPublishAt ?? now,
      lastPublishAt: now,
      lastPublishEndedAt: null,
      unanswered: target.unanswered + 1,
      silentSince: null,
    }
    Object.assign(target, { phase: 'publishing', errorMessage: null, ...begun })
    return false
  }

  /** One worker's run of a target. */
  const runWorker = async (target: Target): Promise<void> => {
    // The previous worker died during the irreversible call: only confirm may decide the result.
    if (target.phase === 'publishing')
      Object.assign(target, { phase: 'unknown', polls: 0, lastPublishEndedAt: new Date() })
    let refreshed = false
    for (;;) {
      try {
        if ((await step(target)) || target.phase === 'posted' || target.phase === 'failed') return
      } catch (thrown) {
        alive()
        if (!(thrown instanceof NetworkError)) throw thrown
        target.refusals.push(`${thrown.class} ${thrown.code}`)
        const decision = afterRefusal(course(target), thrown, new Date(), refreshed)
        if (decision.kind === 'refresh') {
          refreshed = true
          if (await context.refresh()) continue
          return decide(target, afterRefusal(course(target), thrown, new Date(), true))
        }
        if (thrown.class === 'later' && !isOutcomeOpen(target.phase))
          await pass(target, (thrown.retryAt?.getTime() ?? Date.now()) - Date.now())
        return decide(target, decision)
      }
    }
  }

  return {
    /** Runs a target to its end; a worker that dies is followed by another. Throws when the end is not reached. */
    async run(target: Target): Promise<Target> {
      for (let turn = 0; turn < mostTurns; turn++) {
        if (target.phase === 'posted' || target.phase === 'failed') return target
        try {
          await runWorker(target)
        } catch (error) {
          if (!(error instanceof Died)) throw error
          context.revive()
        }
        await new Promise((resolve) => setTimeout(resolve, restMs))
      }
      throw new Error(`the target came to no end: ${target.phase} ${JSON.stringify(target.refusals)}`)
    },
    /**
     * Reconciles a posted target once. A fault meant for the run may hit this request, when the run needed one poll
     * less.
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

/** Whether a failure has an unknown result: the only kind that may leave a post behind. */
export function isUnclear(platform: Platform, target: Target): boolean {
  return (
    target.phase === 'failed' && (target.errorMessage ?? '').startsWith(postMessages.unclear(platformNames[platform]))
  )
}

/** Shifts the times of a target back, as if this much time had passed. */
function age(target: Target, ms: number): void {
  const earlier = (at: Date | null): Date | null => at && new Date(at.getTime() - ms)
  target.firstPublishAt = earlier(target.firstPublishAt)
  target.lastPublishAt = earlier(target.lastPublishAt)
  target.lastPublishEndedAt = earlier(target.lastPublishEndedAt)
  target.silentSince = earlier(target.silentSince)
  for (const [name, value] of Object.entries(target.checkpoint)) {
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value))
      target.checkpoint[name] = new Date(Date.parse(value) - ms).toISOString()
  }
}
