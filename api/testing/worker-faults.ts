import { isUnclear, type Target } from './publish-job.ts'
import type { Scene, Stage, StageFault } from './network-fixture.ts'
import type { Mishap } from './recording-proxy.ts'

export type Harm = { what: string; mishap: Mishap; fatal?: boolean }

/** Everything that can happen to one request; `fatal`: the worker ends in that moment. */
export const harms: readonly Harm[] = [
  { what: 'the worker dies before it', mishap: { kind: 'refused' }, fatal: true },
  { what: 'the worker dies before its answer', mishap: { kind: 'lost' }, fatal: true },
  { what: 'the worker dies in the middle of it', mishap: { kind: 'short' }, fatal: true },
  { what: 'the connection is refused', mishap: { kind: 'refused' } },
  { what: 'the answer is lost', mishap: { kind: 'lost' } },
  { what: 'the connection breaks in its middle', mishap: { kind: 'short' } },
  { what: 'a 500 instead of the effect', mishap: { kind: 'status', status: 500 } },
  { what: 'a 500 after the effect', mishap: { kind: 'status', status: 500, after: true } },
  {
    what: 'a 503 after the effect',
    mishap: { kind: 'status', status: 503, after: true, headers: { 'retry-after': '30' } },
  },
  { what: 'a throttle', mishap: { kind: 'status', status: 429 } },
  { what: 'a throttle that names its end', mishap: { kind: 'status', status: 429, headers: { 'retry-after': '7' } } },
]

/** The harms a quick run keeps to: one of each kind that leaves the outcome open. */
export const telling = harms.filter(({ what }) =>
  /dies before its answer|dies in the middle|500 after|throttle$/.test(what),
)

/** Makes the target of one walk, and the text its post is counted by. */
export type Make = () => Promise<{ target: Target; text: string }>

/** How a target ended beside what its page shows; the whole of a good end is `once`. */
export async function endOf(stage: Stage, target: Target, text: string): Promise<string> {
  const { length } = await stage.posts(text)
  const reason = target.phase === 'failed' ? ` (${target.errorMessage})` : ''
  return `${target.phase}${reason}, ${length} there`
}

export const once = 'posted, 1 there'

/** Walks once unharmed and answers how many requests that takes. */
export async function requestsOf(stage: Stage, make: Make): Promise<number> {
  const { target } = await make()
  await stage.run(target)
  return stage.story.filter((scene) => scene.kind === 'call').length
}

/** Does a harm to each request of a walk in turn. Answers every walk that did not end posted exactly once. */
export async function lostTo(harm: Harm, stage: Stage, make: Make): Promise<string[]> {
  const problems: string[] = []
  const count = await requestsOf(stage, make)
  for (let nth = 1; nth <= count; nth++) {
    const { target, text } = await make()
    stage.hurt(nth, harm.mishap, harm.fatal)
    await stage.run(target)
    const end = await endOf(stage, target, text)
    if (end !== once) problems.push(`request ${nth} of ${count}: ${end}; ${target.refusals.join(', ')}`)
  }
  return problems
}

/**
 * Scripts a fault at each request of a walk in turn. Answers the ends, and every walk that ended neither posted exactly once
 * nor failed with a sentence and nothing there (a sentence that says nobody knows may leave one).
 */
export async function endsUnder(
  kind: string,
  stage: Stage,
  make: Make,
  options: StageFault & { afterEach?: () => Promise<void> } = {},
): Promise<{ ends: string[]; problems: string[] }> {
  const { afterEach, ...fault } = options
  const ends: string[] = []
  const problems: string[] = []
  const count = await requestsOf(stage, make)
  for (let nth = 1; nth <= count; nth++) {
    const { target, text } = await make()
    await stage.fault(kind, { ...fault, skip: nth - 1 })
    await stage.run(target)
    await lookOn(stage, target)
    const end = await endOf(stage, target, text)
    const isClear =
      /^failed \(.*\w.*\.\), 0 there$/s.test(end) || (isUnclear(stage.platform, target) && end.endsWith(', 1 there'))
    if (end !== once && !isClear) problems.push(`request ${nth} of ${count}: ${end}; ${target.refusals.join(', ')}`)
    ends.push(end)
    await afterEach?.()
  }
  return { ends, problems }
}

/** Looks again at a posted target, as the engine does for a day: it may be rejected after all. */
async function lookOn(stage: Stage, target: Target): Promise<void> {
  for (let looks = 0; target.phase === 'posted' && looks < 20; looks++) {
    const seen = await stage.reconcilePosted(target)
    if (seen.state === 'rejected') Object.assign(target, { phase: 'failed', errorMessage: seen.message })
    if (seen.state !== 'working') return
    await new Promise((resolve) => setTimeout(resolve, 8))
  }
}

/**
 * Ids a network answered with that were not saved before the next request left; `idsOf` reads them from an answer.
 * Throws when there were none at all.
 */
export function unsavedIds(
  story: readonly Scene[],
  idsOf: (call: Extract<Scene, { kind: 'call' }>) => readonly unknown[],
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
