import { demoPassword } from '@flashsheet/db/seed/demo-accounts'
import { crowd } from '@flashsheet/db/seed/crowd'
import { users } from '@flashsheet/db/schema/auth'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { eq, like } from 'drizzle-orm'
import type { System } from '../core/context.ts'
import { seedCrowd } from '../seed-crowd.ts'

/**
 * Seeds the demonstration artists as of a past day, with email addresses of their own. Only the artists in `names` act; the
 * others stay in the list, because the position in it determines the time of day of an artist's actions. Returns the subscription
 * status by name, and whether it is canceled at the period's end.
 */
export async function seedCrowdOn(
  system: System,
  date: string,
  time: string,
  names: readonly string[],
): Promise<Record<string, [status: string, cancelsAtPeriodEnd: boolean]>> {
  const then = { ...system, now: () => new Date(`${date}T${time}:00Z`) }
  const prefix = `${date}.${time.replace(':', '')}.`
  await seedCrowd(
    then,
    demoPassword,
    crowd.map(({ name, email, timeZone, acts }) => ({
      name,
      email: prefix + email,
      timeZone,
      acts: names.includes(name) ? acts : [],
    })),
  )
  const rows = await system.db
    .select({ name: users.name, status: subscriptions.status, cancelsAtPeriodEnd: subscriptions.cancelAtPeriodEnd })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(like(users.email, `${prefix}%`))
  return Object.fromEntries(rows.map(({ name, status, cancelsAtPeriodEnd }) => [name, [status, cancelsAtPeriodEnd]]))
}
