import {
  entitlements,
  isEntitled,
  planIds,
  subscriptionStatuses,
  type Entitlement,
  type HeldPlan,
} from '@flashsheet/contracts/plans'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect, type DbClient } from './client.ts'
import { isEntitledSql } from './entitlements.ts'
import { subscriptions } from './schema/subscription.ts'

const everything = Object.keys(entitlements) as Entitlement[]
const held = planIds.flatMap((plan) => subscriptionStatuses.map((status) => ({ plan, status })))

let client: DbClient
beforeAll(async () => {
  // One connection: a temporary table lives on it alone, in front of the real one.
  client = connect(inject('adminUrl'), 1)
  await client.db.execute(sql`create temporary table subscriptions (plan text not null, status text not null)`)
  for (const { plan, status } of held)
    await client.db.execute(sql`insert into subscriptions values (${plan}, ${status})`)
})
afterAll(async () => await client.close())

test.each<[HeldPlan, string[]]>([
  [null, []],
  [{ plan: 'social-line-work', status: 'active' }, ['app', 'publishing']],
  [{ plan: 'social-line-work', status: 'past_due' }, ['publishing']],
  [{ plan: 'social-line-work', status: 'unpaid' }, []],
  [{ plan: 'complete-shading', status: 'active' }, ['app', 'studio', 'publishing', 'publicSite']],
  [{ plan: 'complete-shading', status: 'past_due' }, ['publishing', 'publicSite']],
  [{ plan: 'complete-shading', status: 'unpaid' }, []],
  [{ plan: 'complete-shading', status: 'canceled' }, []],
  [{ plan: 'complete-shading', status: 'incomplete' }, []],
])('%j opens %j', (subscription, open) => {
  expect(everything.filter((what) => isEntitled(subscription, what))).toEqual(open)
})

test.each(everything)('SQL and TypeScript agree on who has %s', async (what) => {
  const rows = await client.db
    .select({ plan: subscriptions.plan, status: subscriptions.status })
    .from(subscriptions)
    .where(isEntitledSql(what))
  expect(rows).toEqual(held.filter((one) => isEntitled(one, what)))
})
