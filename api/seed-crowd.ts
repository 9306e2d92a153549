import { planIds } from '@flashsheet/contracts/plans'
import { crowd, type CrowdEntry, type PastAction } from '@flashsheet/db/seed/crowd'
import { insertPastSites, insertPastUsers, type PastUser } from '@flashsheet/db/seed/insert-crowd'
import { Temporal } from 'temporal-polyfill'
import type { System } from './core/context.ts'
import { newId } from './core/ids.ts'
import { hashPassword } from './features/auth/service/passwords.ts'
import { reconcile } from './features/subscription/service/reconcile.ts'
import { syncCustomer } from './features/subscription/service/sync.ts'

type Living = PastUser & { entry: CrowdEntry; ago: (months: number, days: number) => Temporal.Instant }

/** A mail about something older than this is no news any more. */
const learnedAfter = { hours: 4 * 24 }
/** Lives that are lived at a time. */
const atOnce = 4

/**
 * Gives the product a year that is over: what the crowd did is done at the sandbox with its clock turned back, and the product reads it
 * from there, step by step, as it would have then. Nothing is written about money but by the product itself.
 */
export async function seedCrowd(
  system: System,
  password: string,
  entries: readonly CrowdEntry[] = crowd,
): Promise<void> {
  const now = Temporal.Instant.fromEpochMilliseconds(system.now().getTime()).toZonedDateTimeISO('UTC')
  const people = entries.map((entry, index): Living => {
    // Everybody has an hour of the day of their own.
    const ago: Living['ago'] = (months, days) =>
      now
        .subtract({ months })
        .subtract({ days, minutes: (index * 397) % 1440 })
        .toInstant()
    const [first = [0, 3]] = entry.acts
    const createdAt = new Date(ago(first[0], first[1]).subtract({ minutes: 20 }).epochMilliseconds)
    return {
      id: newId(),
      name: entry.name,
      email: entry.email,
      timeZone: entry.timeZone,
      isActive: entry.isActive ?? true,
      createdAt,
      entry,
      ago,
    }
  })
  await insertPastUsers(system.db, people, await hashPassword('seed', password))
  const waiting = people.values()
  const one = async (): Promise<void> => {
    for (const person of waiting) await live(system, person)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  await reconcile(system)
  await insertPastSites(
    system.db,
    people.flatMap(({ id, name, email, createdAt, entry }) =>
      entry.site ? [{ userId: id, name, email, createdAt, ...entry.site }] : [],
    ),
  )
}

/** One life, up to now. */
async function live(system: System, { id, name, email, entry, ago }: Living): Promise<void> {
  let customer: string | undefined
  for (const [months, days, act] of entry.acts) {
    const at = ago(months, days)
    const who = customer === undefined ? { email, name } : { customer }
    const isNew =
      customer === undefined || (planIds.some((plan) => plan === act) && (await hasEnded(system, customer, at)))
    customer = (await control(system, { at: at.toString(), ...who, ...wordsOf(act, isNew), metadata: { user_id: id } }))
      .customer
    const learned = at.add(learnedAfter).epochMilliseconds
    await syncCustomer({ ...system, now: () => new Date(Math.min(learned, system.now().getTime())) }, customer)
  }
  if (customer !== undefined) await control(system, { at: system.now().toISOString(), customer, act: 'nothing' })
}

const hasEnded = async (system: System, customer: string, at: Temporal.Instant): Promise<boolean> =>
  (await control(system, { at: at.toString(), customer, act: 'nothing' })).status === 'canceled'

function wordsOf(act: PastAction[2], isNew: boolean): Record<string, string> {
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

async function control(
  system: System,
  act: Record<string, unknown>,
): Promise<{ customer: string; status: string | null }> {
  const answer = await fetch(`${system.config.sandbox?.url}/_control/stripe/past`, {
    method: 'POST',
    body: JSON.stringify(act),
  })
  if (!answer.ok) throw new Error(`The past could not be made: ${JSON.stringify(act)} answered ${await answer.text()}`)
  return (await answer.json()) as { customer: string; status: string | null }
}
