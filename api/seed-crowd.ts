import { planIds } from '@flashsheet/contracts/plans'
import type { CrowdEntry, PastAction } from '@flashsheet/db/seed/crowd'
import { insertPastSites, insertPastUsers, type PastUser } from '@flashsheet/db/seed/insert-crowd'
import { Temporal } from 'temporal-polyfill'
import type { System } from './core/context.ts'
import { newId } from './core/ids.ts'
import { hashPassword } from './features/auth/service/passwords.ts'
import { reconcileSubscriptions } from './features/subscription/service/reconcile.ts'
import { syncCustomer } from './features/subscription/service/sync.ts'

type Person = PastUser & { entry: CrowdEntry; ago: (months: number, days: number) => Temporal.Instant }

/** The product learns of an action this much later, when it is too old for mails about it. */
const syncDelay = { hours: 4 * 24 }
/** People whose history is replayed at a time. */
const concurrency = 4

/**
 * Creates artists with a year of subscription history. Each past action is done at the sandbox with its clock set back, and
 * the product then synchronises from there, so that it writes all billing data itself.
 */
export async function seedCrowd(system: System, password: string, entries: readonly CrowdEntry[]): Promise<void> {
  const now = Temporal.Instant.fromEpochMilliseconds(system.now().getTime()).toZonedDateTimeISO('UTC')
  const people = entries.map((entry, index): Person => {
    // The actions of different people happen at different times of the day.
    const ago: Person['ago'] = (months, days) =>
      now
        .subtract({ months })
        .subtract({ days, minutes: (index * 397) % 1440 })
        .toInstant()
    const { name, email, timeZone, isActive = true, acts } = entry
    const [first = [0, 3]] = acts
    const createdAt = new Date(ago(first[0], first[1]).subtract({ minutes: 20 }).epochMilliseconds)
    return { id: newId(), name, email, timeZone, isActive, createdAt, entry, ago }
  })
  await insertPastUsers(system.db, people, await hashPassword('seed', password))
  const queue = people.values()
  const runWorker = async (): Promise<void> => {
    for (const person of queue) await replayHistory(system, person)
  }
  await Promise.all(Array.from({ length: concurrency }, runWorker))
  await reconcileSubscriptions(system)
  await insertPastSites(
    system.db,
    people.flatMap(({ id, name, email, createdAt, entry }) =>
      entry.site ? [{ userId: id, name, email, createdAt, ...entry.site }] : [],
    ),
  )
}

/** Replays the actions of one person up to now. */
async function replayHistory(system: System, { id, name, email, entry, ago }: Person): Promise<void> {
  let customer: string | undefined
  for (const [months, days, act] of entry.acts) {
    const at = ago(months, days)
    const who = customer === undefined ? { email, name } : { customer }
    const isNew =
      customer === undefined || (planIds.some((plan) => plan === act) && (await hasEnded(system, customer, at)))
    customer = (
      await actInPast(system, { at: at.toString(), ...who, ...actionOf(act, isNew), metadata: { user_id: id } })
    ).customer
    const syncedAt = at.add(syncDelay).epochMilliseconds
    await syncCustomer({ ...system, now: () => new Date(Math.min(syncedAt, system.now().getTime())) }, customer)
  }
  if (customer !== undefined) await actInPast(system, { at: system.now().toISOString(), customer, act: 'nothing' })
}

const hasEnded = async (system: System, customer: string, at: Temporal.Instant): Promise<boolean> =>
  (await actInPast(system, { at: at.toString(), customer, act: 'nothing' })).status === 'canceled'

/** The action in the form of the sandbox's API. */
function actionOf(act: PastAction[2], isNew: boolean): Record<string, string> {
  switch (act) {
    case 'good card':
    case 'declined card':
      return { act: 'card', card: act === 'good card' ? 'good' : 'declined' }
    case 'cancel':
    case 'resume':
    case 'refund':
      return { act }
    default:
      return { act: isNew ? 'subscribe' : 'plan', plan: act }
  }
}

async function actInPast(
  system: System,
  act: Record<string, unknown>,
): Promise<{ customer: string; status: string | null }> {
  const answer = await fetch(`${system.config.sandbox?.url}/_control/stripe/past`, {
    method: 'POST',
    body: JSON.stringify(act),
  })
  if (!answer.ok)
    throw new Error(`The sandbox refused a past action: ${JSON.stringify(act)} answered ${await answer.text()}`)
  return (await answer.json()) as { customer: string; status: string | null }
}
