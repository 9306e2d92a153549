import type { PlanId } from '@flashsheet/contracts/plans'
import type { Subscription } from '@flashsheet/contracts/subscription/schema'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { desc, eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { createArtist, type Artist } from './actors.ts'
import type { TestApp } from './app.ts'
import { fault } from './posting.ts'
import { control, eventually } from './sandbox.ts'

/** Stripe's SDK at the sandbox, for actions of Stripe's owner or clock. */
export function stripeAt(app: Pick<TestApp, 'sandboxUrl'>): Stripe {
  return new Stripe('sk_test_sandbox', {
    host: 'localhost',
    port: Number(new URL(app.sandboxUrl).port),
    protocol: 'http',
    telemetry: false,
  })
}

/** Makes Stripe refuse the next request of a method and path. */
export async function refuseAtStripe(
  app: Pick<TestApp, 'sandboxUrl'>,
  method: 'POST' | 'DELETE',
  path: string,
): Promise<void> {
  const body = { error: { type: 'invalid_request_error', message: 'no' } }
  await fault(app, 'stripe', 'status', path, { method, status: 400, body })
}

/** An artist who paid at the sandbox's checkout. `query` selects the card. */
export async function subscribedArtist(
  app: TestApp,
  plan: PlanId = 'social-line-work',
  query = 'auto=approve',
): Promise<Artist> {
  const artist = await createArtist(app, { plan: null })
  await payFor(artist, plan, query)
  return artist
}

export async function payFor(artist: Artist, plan: PlanId, query = 'auto=approve'): Promise<void> {
  const { url } = await artist.trpc.subscription.createCheckout.mutate({ plan })
  await fetch(`${url}?${query}`, { redirect: 'manual' })
  await artist.trpc.subscription.confirm.mutate({ sessionId: url.split('/').at(-1) ?? '' })
}

/** The Stripe ids of an artist's newest subscription. */
export async function stripeIdsOf(
  app: Pick<TestApp, 'client'>,
  artist: Artist,
): Promise<{ subscription: string; customer: string }> {
  const [row] = await app.client.db
    .select({ subscription: subscriptions.stripeSubscriptionId, customer: subscriptions.stripeCustomerId })
    .from(subscriptions)
    .where(eq(subscriptions.userId, artist.id))
    .orderBy(desc(subscriptions.createdAt))
    .limit(1)
  if (!row) throw new Error('this artist has no subscription')
  return row
}

/** Advances the subscription's clock at Stripe, and waits until the product has processed the events. */
export async function advance(
  app: TestApp,
  artist: Artist,
  to: 'renewal' | 'end',
  until: Subscription['status'],
): Promise<void> {
  await control(app, 'POST', '/stripe/advance', { subscription: (await stripeIdsOf(app, artist)).subscription, to })
  await eventually(
    `the subscription to be ${until}`,
    async () => (await artist.get<Subscription>('/api/subscriptions/current')).body.status === until,
  )
}
