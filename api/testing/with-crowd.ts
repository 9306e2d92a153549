import { castPassword } from '@flashsheet/db/seed/cast'
import { crowd } from '@flashsheet/db/seed/crowd'
import { users } from '@flashsheet/db/schema/auth'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { eq, like } from 'drizzle-orm'
import type { System } from '../core/context.ts'
import { seedCrowd } from '../seed-crowd.ts'

/**
 * Seeds the demonstration as it would be on a day that is over, under addresses of its own, and answers in which state these of it
 * are and whether they are leaving. The others only stand in the list: a place in it is an hour of the day.
 */
export async function crowdOn(
  system: System,
  date: string,
  time: string,
  names: readonly string[],
): Promise<Record<string, [status: string, isLeaving: boolean]>> {
  const then = { ...system, now: () => new Date(`${date}T${time}:00Z`) }
  const prefix = `${date}.${time.replace(':', '')}.`
  await seedCrowd(
    then,
    castPassword,
    crowd.map(({ name, email, timeZone, acts }) => ({
      name,
      email: prefix + email,
      timeZone,
      acts: names.includes(name) ? acts : [],
    })),
  )
  const rows = await system.db
    .select({ name: users.name, status: subscriptions.status, isLeaving: subscriptions.cancelAtPeriodEnd })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(like(users.email, `${prefix}%`))
  return Object.fromEntries(rows.map(({ name, status, isLeaving }) => [name, [status, isLeaving]]))
}
