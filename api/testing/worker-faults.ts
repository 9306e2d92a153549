import type { Target } from './publish-job.ts'
import type { Step, NetworkFixture, NetworkFault } from './network-fixture.ts'
import type { RequestFault } from './recording-proxy.ts'

type WorkerFault = { what: string; fault: RequestFault; fatal?: boolean }

/** The faults that one request can have; `fatal`: the worker dies at that moment. */
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

/** Creates the target of one run, and the text by which its posts are counted. */
export type MakeTarget = () => Promise<{ target: Target; text: string }>

/** A target's final phase and the number of its posts at the network; `postedOnce` is the wanted one. */
export async function outcomeOf(fixture: NetworkFixture, target: Target, text: string): Promise<string> {
  const { length } = await fixture.posts(text)
  const reason = target.phase === 'failed' ? ` (${target.errorMessage})` : ''
  return `${target.phase}${reason}, ${length} there`
}

export const postedOnce = 'posted, 1 there'

/** Selects the requests of a run that a fault is applied to. */
type Only = (call: Extract<Step, { kind: 'call' }>) => boolean

/** Runs once without faults. Returns the numbers (from 1) of the selected requests, and the count of all. */
async function requestsOf(
  fixture: NetworkFixture,
  make: MakeTarget,
  only: Only = () => true,
): Promise<{ numbers: number[]; count: number }> {
  const { target } = await make()
  await fixture.run(target)
  const calls = fixture.steps.filter((step) => step.kind === 'call')
  const numbers = calls.flatMap((call, index) => (only(call) ? [index + 1] : []))
  if (numbers.length === 0) throw new Error('the run has no such request')
  return { numbers, count: calls.length }
}

/** Applies a fault to each request of a run in turn. Returns every run that did not end posted exactly once. */
export async function failuresUnderRequestFault(
  workerFault: WorkerFault,
  fixture: NetworkFixture,
  make: MakeTarget,
  only?: Only,
): Promise<string[]> {
  const problems: string[] = []
  const { numbers, count } = await requestsOf(fixture, make, only)
  for (const nth of numbers) {
    const { target, text } = await make()
    fixture.disturb(nth, workerFault.fault, workerFault.fatal)
    await fixture.run(target)
    const outcome = await outcomeOf(fixture, target, text)
    if (outcome !== postedOnce) problems.push(`request ${nth} of ${count}: ${outcome}; ${target.refusals.join(', ')}`)
  }
  return problems
}

/**
 * Scripts a fault of the sandbox at each request of a run in turn. Returns the outcomes, and as problems the runs that
 * neither posted exactly once nor failed with a message and without a post. Only after an unclear failure may a post
 * exist.
 */
export async function runsUnderSandboxFault(
  kind: string,
  fixture: NetworkFixture,
  make: MakeTarget,
  options: NetworkFault & { only?: Only; afterEach?: () => Promise<void> } = {},
): Promise<{ outcomes: string[]; problems: string[] }> {
  const { afterEach, only, ...fault } = options
  const outcomes: string[] = []
  const problems: string[] = []
  const { numbers, count } = await requestsOf(fixture, make, only)
  for (const nth of numbers) {
    const { target, text } = await make()
    await fixture.fault(kind, { ...fault, skip: nth - 1 })
    await fixture.run(target)
    await reconcile(fixture, target)
    const outcome = await outcomeOf(fixture, target, text)
    const isAcceptable =
      /^failed \(.*\w.*\.\), 0 there$/s.test(outcome) || (target.unclear && outcome.endsWith(', 1 there'))
    if (outcome !== postedOnce && !isAcceptable)
      problems.push(`request ${nth} of ${count}: ${outcome}; ${target.refusals.join(', ')}`)
    outcomes.push(outcome)
    await afterEach?.()
  }
  return { outcomes, problems }
}

/** Reconciles a posted target, as the product does for a day: the network may still reject the post. */
async function reconcile(fixture: NetworkFixture, target: Target): Promise<void> {
  for (let polls = 0; target.phase === 'posted' && polls < 20; polls++) {
    const result = await fixture.reconcilePosted(target)
    if (result.state !== 'working') return
    await new Promise((resolve) => setTimeout(resolve, 8))
  }
}

/**
 * Ids in a network's answers that were not saved before the next request was sent; `idsOf` reads them from an answer.
 * Throws when there were none.
 */
export function unsavedIds(
  steps: readonly Step[],
  idsOf: (call: Extract<Step, { kind: 'call' }>) => readonly unknown[],
): string[] {
  const unsaved: string[] = []
  let seen = 0
  for (const [index, step] of steps.entries()) {
    if (step.kind !== 'call') continue
    const rest = steps.slice(index + 1)
    const next = rest.findIndex((one) => one.kind === 'call')
    const saved = JSON.stringify(
      rest.slice(0, next < 0 ? rest.length : next).map((one) => (one.kind === 'save' ? one.patch : null)),
    )
    for (const id of idsOf(step)) {
      if (typeof id !== 'string' || id === '') continue
      seen += 1
      if (!saved.includes(JSON.stringify(id).slice(1, -1))) unsaved.push(`${step.method} ${step.path}: ${id}`)
    }
  }
  if (seen === 0) throw new Error('no answer contained an id')
  return unsaved
}
