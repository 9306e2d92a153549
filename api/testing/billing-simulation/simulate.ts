import { seeded } from '../random.ts'
import { checkAlways, checkSettled } from './checks.ts'
import { createSubscriber, passTime, planStep } from './life.ts'
import { deliverAndWork, deliverSome, mendStripe, openWorld, settle, type World } from './world.ts'

/** Days on which calendars err: ends of months, leap days, changes to and from summer time. */
const starts = ['2027-01-31', '2027-12-30', '2028-01-31', '2028-02-29', '2027-03-13', '2027-10-30', '2027-08-31']

const hour = 3_600_000
/** Short waits, waits for Stripe's next attempt to charge, and waits for the next period. */
const waits = [hour / 60, 5 * hour, 30 * hour, 73 * hour, 73 * hour, 10 * 24 * hour, 31 * 24 * hour, 31 * 24 * hour]

/** `violation`: the first broken promise with the steps before it; '' if all were kept. `begun`: subscriptions. */
type Outcome = { violation: string; begun: number }

/** Lets two artists live `steps` steps. */
async function simulateSeed(seed: number, steps: number): Promise<Outcome> {
  const random = seeded(seed)
  const world = await openWorld(random, `${random.pick(starts)}T${random.pick(['00:00:01', '06:30:00', '23:59:30'])}Z`)
  try {
    await live(world, steps)
    const events = [...world.events.values()]
    return { violation: '', begun: events.filter(({ type }) => type === 'customer.subscription.created').length }
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { violation: [`seed ${seed}: ${text}`, ...world.trace.slice(-80)].join('\n  '), begun: 1 }
  } finally {
    await world.stop()
  }
}

/** Runs `count` seeds from `first` on, three at a time, because they mostly wait. Returns the broken promises. */
export async function simulateBilling(first: number, count: number, steps: number): Promise<string[]> {
  const broken: string[] = []
  let next = first
  let begun = 0
  const runLane = async (): Promise<void> => {
    while (next < first + count) {
      const outcome = await simulateSeed(next++, steps)
      begun += outcome.begun
      if (outcome.violation !== '') broken.push(outcome.violation)
    }
  }
  await Promise.all([runLane(), runLane(), runLane()])
  if (begun === 0) broken.push('no subscription began, so nothing was checked')
  return broken
}

async function live(world: World, steps: number): Promise<void> {
  const { random } = world
  const subscribers = [await createSubscriber(world), await createSubscriber(world)]
  const settleAndCheck = async (isNight: boolean) => {
    await settle(world, isNight)
    await checkSettled(world, subscribers)
  }
  for (let step = 0; step < steps; step++) {
    const subscriber = random.pick(subscribers)
    // Sometimes in two tabs at once, each with numbers of its own, so that a seed repeats.
    const tabs = [random.below(1e9), ...(random.oneIn(4) ? [random.below(1e9)] : [])]
    const plans = tabs.map(async (tab) => await planStep({ ...world, random: seeded(tab) }, subscriber))
    const acts = await Promise.all(plans)
    await Promise.all([...acts.map(async (act) => await act()), ...(random.oneIn(3) ? [deliverAndWork(world)] : [])])
    await mendStripe(world)
    await deliverSome(world)
    await checkAlways(world)
    if (random.oneIn(3)) await passTime(world, random.pick(waits), async () => await settleAndCheck(true))
    else world.app.clock.advance(random.whole(1, 90) * 1000)
    if (random.oneIn(5)) await settleAndCheck(random.oneIn(2))
  }
  await settleAndCheck(true)
}
