import { isUnclear, type Target } from './publish-job.ts'
import type { Step, NetworkFixture, NetworkFault } from './network-fixture.ts'
import type { RequestFault } from './recording-proxy.ts'

export type WorkerFault = { what: string; fault: RequestFault; fatal?: boolean }

/** Every fault of one request; `fatal`: the worker dies in that moment. */
export const workerFaults: readonly WorkerFault[] = [
  { what: 'the worker dies before it', fault: { kind: 'refused' }, fatal: true },
  { what: 'the worker dies before its answer', fault: { kind: 'lost' }, fatal: true },
  { what: 'the worker dies in the middle of it', fault: { kind: 'short' }, fatal: true },
  { what: 'the connection is refused', fault: { kind: 'refused' } },
  { what: 'the answer is lost', fault: { kind: 'lost' } },
  { what: 'the connection breaks in its middle', fault: { kind: 'short' } },
  { what: 'a 500 instead of the effect', fault: { kind: 'status', status: 500 } },
  { what: 'a 500 after the effect', fault: { kind: 'status', status: 500, after: true } },
  {
    what: 'a 503 after the effect',
    fault: { kind: 'status', status: 503, after: true, headers: { 'retry-after': '30' } },
  },
  { what: 'a throttle', fault: { kind: 'status', status: 429 } },
  { what: 'a throttle that names its end', fault: { kind: 'status', status: 429, headers: { 'retry-after': '7' } } },
]

const faultsOf = (what: RegExp): WorkerFault[] => workerFaults.filter((fault) => what.test(fault.what))

/**
 * The faults of a quick run: those that leave the result unknown, and a throttle, each at two networks. All of them at
 * all networks are in `gateways/networks/publish.test-long.ts`, those of Facebook through the whole worker in
 * `features/posts/facebook.test.ts`.
 */
export const representativeFaults = {
  instagram: faultsOf(/dies before its answer|throttle$/),
  tiktok: faultsOf(/dies in the middle|500 after/),
  youtube: faultsOf(/dies in the middle|throttle$/),
  linkedin: faultsOf(/dies before its answer|500 after/),
}

/** Creates the target of one run, and the text by which its post is counted. */
export type Make = () => Promise<{ target: Target; text: string }>

/** How a target ended, compared with its page; a good end is `once`. */
export async function endOf(stage: NetworkFixture, target: Target, text: string): Promise<string> {
  const { length } = await stage.posts(text)
  const reason = target.phase === 'failed' ? ` (${target.errorMessage})` : ''
  return `${target.phase}${reason}, ${length} there`
}

export const once = 'posted, 1 there'

/** Which requests of a run a fault is applied to; absent: all. */
type Only = (call: Extract<Step, { kind: 'call' }>) => boolean

/** Runs once without faults; returns the numbers, from 1, of those requests, and how many there were. */
async function requestsOf(
  stage: NetworkFixture,
  make: Make,
  only: Only = () => true,
): Promise<{ numbers: number[]; count: number }> {
  const { target } = await make()
  await stage.run(target)
  const calls = stage.story.filter((scene) => scene.kind === 'call')
  const numbers = calls.flatMap((call, index) => (only(call) ? [index + 1] : []))
  if (numbers.length === 0) throw new Error('no request of the run is meant')
  return { numbers, count: calls.length }
}

/** Applies a fault to each request of a run in turn. Returns every run that did not end posted exactly once. */
export async function lostTo(harm: WorkerFault, stage: NetworkFixture, make: Make, only?: Only): Promise<string[]> {
  const problems: string[] = []
  const { numbers, count } = await requestsOf(stage, make, only)
  for (const nth of numbers) {
    const { target, text } = await make()
    stage.disturb(nth, harm.fault, harm.fatal)
    await stage.run(target)
    const end = await endOf(stage, target, text)
    if (end !== once) problems.push(`request ${nth} of ${count}: ${end}; ${target.refusals.join(', ')}`)
  }
  return problems
}

/**
 * Scripts a fault at each request of a run in turn. Returns the ends, and every run that ended neither posted exactly
 * once nor failed with a message and no post (a message about an unknown result may leave one).
 */
export async function endsUnder(
  kind: string,
  stage: NetworkFixture,
  make: Make,
  options: NetworkFault & { only?: Only; afterEach?: () => Promise<void> } = {},
): Promise<{ ends: string[]; problems: string[] }> {
  const { afterEach, only, ...fault } = options
  const ends: string[] = []
  const problems: string[] = []
  const { numbers, count } = await requestsOf(stage, make, only)
  for (const nth of numbers) {
    const { target, text } = await make()
    await stage.fault(kind, { ...fault, skip: nth - 1 })
    await stage.run(target)
    await reconcile(stage, target)
    const end = await endOf(stage, target, text)
    const isClear =
      /^failed \(.*\w.*\.\), 0 there$/s.test(end) || (isUnclear(stage.platform, target) && end.endsWith(', 1 there'))
    if (end !== once && !isClear) problems.push(`request ${nth} of ${count}: ${end}; ${target.refusals.join(', ')}`)
    ends.push(end)
    await afterEach?.()
  }
  return { ends, problems }
}

/** Reconciles a posted target, as the engine does for a day: it may be rejected after all. */
async function reconcile(stage: NetworkFixture, target: Target): Promise<void> {
  for (let looks = 0; target.phase === 'posted' && looks < 20; looks++) {
    const seen = await stage.reconcilePosted(target)
    if (seen.state === 'rejected') Object.assign(target, { phase: 'failed', errorMessage: seen.message })
    if (seen.state !== 'working') return
    await new Promise((resolve) => setTimeout(resolve, 8))
  }
}

/**
 * Ids in a network's answers that were not saved before the next request was sent; `idsOf` reads them from an answer.
 * Throws when there were none.
 */
export function unsavedIds(
  story: readonly Step[],
  idsOf: (call: Extract<Step, { kind: 'call' }>) => readonly unknown[],
): string[] {
  const unsaved: string[] = []
  let seen = 0
  for (const [index, scene] of story.entries()) {
    if (scene.kind !== 'call') continue
    const rest = story.slice(index + 1)
    const next = rest.findIndex((one) => one.kind === 'call')
    const saved = JSON.stringify(
      rest.slice(0, next < 0 ? rest.length : next).map((one) => (one.kind === 'save' ? one.patch : null)),
    )
    for (const id of idsOf(scene)) {
      if (typeof id !== 'string' || id === '') continue
      seen += 1
      if (!saved.includes(JSON.stringify(id).slice(1, -1))) unsaved.push(`${scene.method} ${scene.path}: ${id}`)
    }
  }
  if (seen === 0) throw new Error('no answer held an id')
  return unsaved
}
