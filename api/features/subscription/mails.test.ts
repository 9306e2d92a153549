import type { SubscriptionStatus } from '@flashsheet/contracts/plans'
import { users } from '@flashsheet/db/schema/auth'
import { mails } from '@flashsheet/db/schema/outbox'
import { billingMails, subscriptions, stripeEvents } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { everyoneScope } from '../../core/scope.ts'
import type { Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { advance, payFor, stripeAt, stripeIdsOf, subscribedArtist } from '../../testing/billing.ts'
import { fault } from '../../testing/posting.ts'
import { openSystem } from '../../testing/system.ts'
import { control, eventually, mailTo, type SandboxMail } from '../../testing/sandbox.ts'
import { paymentFailedMail, welcomeMail } from './mails.ts'
import { listEndings } from './queries.ts'
import { reconcileSubscriptions } from './service/reconcile.ts'
import { remindOfEndings } from './service/remind.ts'

let app: TestApp
let stripe: Stripe
let system: System
let close: () => Promise<void>
beforeAll(async () => {
  app = await startTestApp()
  stripe = stripeAt(app)
  ;({ system, close } = await openSystem(app))
})
afterAll(async () => {
  await close()
  await app.stop()
})

const mailsOf = async (artist: Artist) =>
  await control<SandboxMail[]>(app, 'GET', `/mail?to=${encodeURIComponent(artist.email)}`)
const subjects = async (artist: Artist) => (await mailsOf(artist)).map((one) => one.subject).toSorted()

/** Waits until every event is processed and every mail is sent. */
async function settled(): Promise<void> {
  await eventually('every event to be processed', async () =>
    (await app.client.db.select().from(stripeEvents)).every((event) => event.processedAt !== null),
  )
  await eventually(
    'every mail to be sent',
    async () => (await app.client.sql`select 1 from mails where sent_at is null`).length === 0,
  )
}

test('a payment sends a welcome and a receipt, once each, however often its event arrives', async () => {
  const artist = await subscribedArtist(app, 'complete-shading')
  const receipt = await mailTo(app, artist.email, /receipt/)
  expect(receipt.subject).toBe('Your receipt: $49.00 for Complete Shading')
  const invoice = (await stripe.invoices.list({ customer: (await stripeIdsOf(app, artist)).customer })).data[0]
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'America/New_York' }).format(
    new Date((invoice?.status_transitions.paid_at ?? 0) * 1000),
  )
  for (const fact of ['Amount: $49.00', `Date: ${day}`, 'Plan: Complete Shading', `Invoice: ${invoice?.number}`])
    expect(receipt.text).toContain(fact)
  expect(receipt.links).toEqual([invoice?.hosted_invoice_url])
  const events = (await control<{ id: string }[]>(app, 'GET', '/stripe/events')).map((one) => one.id)
  await control(app, 'POST', '/stripe/resend', { events: events.toReversed() })
  await reconcileSubscriptions(system)
  await settled()
  expect(await subjects(artist)).toEqual(['Welcome to Complete Shading', 'Your receipt: $49.00 for Complete Shading'])
})

test('every mail has plain text and HTML, one button, and the reason why it was sent', async () => {
  const artist = await subscribedArtist(app)
  await settled()
  for (const mail of await mailsOf(artist)) {
    expect(mail.text).toMatch(/\n--\nYou are getting this email because [^<]+\.$/m)
    expect(mail.html).toContain('prefers-color-scheme: dark')
    expect(mail.html.match(/class="button"/g)).toHaveLength(1)
    expect(mail.html).not.toMatch(/<img|<script|http-equiv/)
  }
})

const recipient = { name: 'Mara', email: 'm@x.test', timeZone: 'UTC', isActive: true, isBeingDeleted: false }

test('the welcome of a deactivated artist says that the account cannot be used', () => {
  const mailOf = (isActive: boolean, isReturn: boolean) =>
    welcomeMail({ ...recipient, isActive }, 'social-line-work', isReturn, '')
  const textOf = (isActive: boolean) => mailOf(isActive, true).paragraphs.join(' ')
  expect(textOf(false)).not.toMatch(/back\.|Connect your accounts/)
  expect(textOf(false)).toContain('Your account is deactivated')
  expect(textOf(true)).toMatch(/back\..* Connect your accounts/)
  const labels = [true, false].map((isActive) => mailOf(isActive, false).button?.label)
  expect(labels).toEqual(['Create your first post', 'Go to Flashsheet'])
})

describe('a failed payment', () => {
  test('is reported at each attempt, with the consequences and the page to pay; then the end', async () => {
    const artist = await subscribedArtist(app, 'social-line-work', 'auto=approve&card=declined')
    await advance(app, artist, 'renewal', 'past_due')
    const first = await mailTo(app, artist.email, /did not go through/)
    expect(first.text).toContain('The payment of $19.00 for Social Line Work did not go through')
    expect(first.text).toContain(
      'What you planned continues for now: your scheduled posts. To make or change anything, pay first.',
    )
    expect(first.links[0]).toMatch(/\/invoice\/in_/)
    await reconcileSubscriptions(system)
    await advance(app, artist, 'renewal', 'unpaid')
    expect((await mailTo(app, artist.email, /on hold/)).text).toContain(
      'Scheduled posts whose time comes before then are not published.',
    )
    await advance(app, artist, 'renewal', 'canceled')
    expect((await mailTo(app, artist.email, /has ended/)).text).toContain(
      'The last payment for Social Line Work could not be made',
    )
    await reconcileSubscriptions(system)
    await settled()
    expect(await subjects(artist)).toEqual([
      'Welcome to Social Line Work',
      'Your payment did not go through',
      'Your receipt: $19.00 for Social Line Work',
      'Your subscription has ended',
      'Your subscription is on hold',
    ])
    const notices = (await artist.trpc.notices.list.query()).notices.map(({ kind, title, link, action }) => [
      kind,
      title,
      link,
      action,
    ])
    expect(notices).toEqual([
      ['billing', 'Your subscription has ended', '/subscription', 'See the plans'],
      ['billing', 'Your subscription is on hold', '/subscription', 'Pay now'],
      ['billing', 'Your payment did not go through', '/subscription', 'Pay now'],
    ])
    await payFor(artist, 'complete-shading')
    await mailTo(app, artist.email, /Welcome back to Complete Shading/)
  })

  test('of a deactivated artist does not promise that posts continue', async () => {
    const artist = await subscribedArtist(app, 'social-line-work', 'auto=approve&card=declined')
    const { subscription } = await stripeIdsOf(app, artist)
    await app.client.db.update(users).set({ isActive: false }).where(eq(users.id, artist.id))
    await control(app, 'POST', '/stripe/advance', { subscription, to: 'renewal' })
    expect((await mailTo(app, artist.email, /did not go through/)).text).not.toContain('scheduled posts')
  })

  test('of a checkout that was never paid does not promise it either', () => {
    const invoice = { amountDue: 1900, currency: 'usd', nextTryAt: null, payUrl: null }
    const textWhile = (status: SubscriptionStatus) =>
      paymentFailedMail(
        recipient,
        { plan: 'social-line-work', invoice, problem: 'authentication', status },
        '',
      ).paragraphs.join(' ')
    expect(textWhile('incomplete')).not.toContain('scheduled posts')
    expect(textWhile('past_due')).toContain('continues for now: your scheduled posts')
  })

  test('because the bank requires authentication says so, in the mail and on the screen', async () => {
    const artist = await subscribedArtist(app, 'complete-shading', 'auto=approve&card=confirm')
    expect(await artist.trpc.subscription.billing.query()).toMatchObject({
      amountDue: 0,
      paymentProblem: null,
      refundUntil: expect.any(String),
    })
    await advance(app, artist, 'renewal', 'past_due')
    const mail = await mailTo(app, artist.email, /Please confirm your payment/)
    expect(mail.text).toContain('Your bank wants you to confirm the payment of $49.00')
    expect(await artist.trpc.subscription.billing.query()).toMatchObject({
      amountDue: 4900,
      paymentProblem: 'authentication',
    })
    await fetch(mail.links[0] ?? '', { method: 'POST', body: new URLSearchParams({ card: '' }) })
    await eventually(
      'the confirmed payment',
      async () => (await artist.trpc.subscription.billing.query())?.amountDue === 0,
    )
    // Stripe reports the payment and the subscription in two events.
    await eventually(
      'the active subscription',
      async () => (await artist.trpc.subscription.current.query()).status === 'active',
    )
  })
})

describe('a requested end', () => {
  test('is confirmed at each request, and reported when it comes', async () => {
    const artist = await subscribedArtist(app)
    await artist.trpc.subscription.cancel.mutate()
    const mail = await mailTo(app, artist.email, /ends on/)
    expect(mail.text).toContain('As you asked, Social Line Work ends on')
    expect(mail.links).toEqual([`${app.url}/subscription`])
    await artist.trpc.subscription.cancel.mutate()
    await settled()
    expect((await subjects(artist)).filter((one) => one.includes('ends on'))).toHaveLength(1)
    await advance(app, artist, 'end', 'canceled')
    expect((await mailTo(app, artist.email, /has ended/)).text).toMatch(
      /Social Line Work ended on [^.]+\. You are not charged again/,
    )
    await settled()
    expect((await subjects(artist)).filter((one) => one.includes('has ended'))).toHaveLength(1)
  })

  test('is announced three days before, once, unless it was undone or has come already', async () => {
    const [leaving, staying] = [await subscribedArtist(app), await subscribedArtist(app)]
    const [left, recent, deleting] = [
      await subscribedArtist(app),
      await subscribedArtist(app),
      await subscribedArtist(app),
    ]
    for (const artist of [leaving, staying, left, recent, deleting]) await artist.trpc.subscription.cancel.mutate()
    await stripe.subscriptions.cancel((await stripeIdsOf(app, left)).subscription)
    await settled()
    const [row] = await app.client.db
      .select({ end: subscriptions.currentPeriodEnd })
      .from(subscriptions)
      .where(eq(subscriptions.userId, leaving.id))
    const end = row?.end?.getTime() ?? 0
    const atDaysBefore = async (days: number) =>
      await remindOfEndings({ ...system, now: () => new Date(end - days * 86_400_000) })
    await atDaysBefore(4)
    // The end was undone in the portal, and no event reached us.
    await stripe.subscriptions.update((await stripeIdsOf(app, staying)).subscription, { cancel_at_period_end: false })
    // The subscription was ended at once, and no event reached us.
    await app.client.db.update(subscriptions).set({ status: 'active' }).where(eq(subscriptions.userId, left.id))
    const threeDaysBefore = new Date(end - 3 * 86_400_000)
    await app.client.db
      .update(billingMails)
      .set({ createdAt: threeDaysBefore })
      .where(eq(billingMails.userId, recent.id))
    await app.client.db.update(users).set({ deletionAskedAt: threeDaysBefore }).where(eq(users.id, deleting.id))
    await Promise.all([atDaysBefore(2), atDaysBefore(2), atDaysBefore(1)])
    await mailTo(app, leaving.email, /ends soon/)
    await settled()
    expect((await subjects(leaving)).filter((one) => one.includes('ends soon'))).toHaveLength(1)
    for (const artist of [staying, left, recent, deleting])
      expect((await subjects(artist)).filter((one) => one.includes('ends soon'))).toEqual([])
  })

  test('is announced although another customer cannot be read at Stripe, who is announced later', async () => {
    const artists = [await subscribedArtist(app), await subscribedArtist(app)]
    for (const artist of artists) await artist.trpc.subscription.cancel.mutate()
    await settled()
    const inTwoMonths = new Date(Date.now() + 60 * 86_400_000)
    const endings = (await listEndings(system.db, everyoneScope(), new Date(0), inTwoMonths)).filter(({ userId }) =>
      artists.some(({ id }) => id === userId),
    )
    const [first] = endings
    const twoDaysBefore = new Date((first?.currentPeriodEnd.getTime() ?? 0) - 2 * 86_400_000)
    const run = async () => await remindOfEndings({ ...system, now: () => twoDaysBefore })
    const error = { type: 'invalid_request_error', message: 'no' }
    await fault(app, 'stripe', 'status', `customer=${first?.stripeCustomerId}`, {
      method: 'GET',
      status: 400,
      body: { error },
      times: 100,
    })
    await expect(run()).rejects.toThrow()
    await control(app, 'DELETE', '/faults')
    const [failed, other] = artists.toSorted((a) => (a.id === first?.userId ? -1 : 1))
    await mailTo(app, other?.email ?? '', /ends soon/)
    await run()
    await mailTo(app, failed?.email ?? '', /ends soon/)
  })
})

test('an artist whose events arrive late gets no mails about old changes', async () => {
  const artist = await subscribedArtist(app)
  const late = await openSystem(app, 'own')
  const [row] = await app.client.db.select().from(users).where(eq(users.id, artist.id))
  if (row) await late.system.db.insert(users).values(row)
  const queued = async () => (await late.system.db.select().from(mails)).length
  await reconcileSubscriptions({ ...late.system, now: () => new Date(Date.now() + 4 * 86_400_000) })
  expect(await queued()).toBe(0)
  await reconcileSubscriptions(late.system)
  expect(await queued()).toBe(2)
  await late.close()
})
