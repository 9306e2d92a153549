import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { control, eventually } from '../api/testing/sandbox.ts'
import { subscriptionOf } from '../api/testing/records.ts'
import { subscriptionMessages } from '../packages/contracts/subscription/messages.ts'
import type { Subscription } from '../packages/contracts/subscription/schema.ts'
import { withPage, type Page } from './browser.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  await app?.stop()
})

const newcomer = async () => await createArtist(app, { plan: null })
const card = (page: Page, plan: string) => page.getByRole('article', { name: plan })

async function payAtStripe(page: Page): Promise<void> {
  await page.waitForURL((url) => url.origin === app.sandboxUrl)
  await page.getByRole('button', { name: 'Pay and subscribe' }).click()
  await page.waitForURL(/\/subscription\/success\?session_id=cs_/)
}

/** An artist who has paid. */
async function subscriber(query = 'auto=approve'): Promise<Artist> {
  const artist = await newcomer()
  const { url } = await artist.trpc.subscription.createCheckout.mutate({ plan: 'social-line-work' })
  await fetch(`${url}?${query}`, { redirect: 'manual' })
  const sessionId = url.split('/').at(-1) ?? ''
  await artist.trpc.subscription.confirm.mutate({ sessionId })
  return artist
}

const formatNextBilling = (subscription: Subscription | null) =>
  new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    timeZone: 'America/New_York',
  }).format(new Date(subscription?.currentPeriodEnd ?? 0))

test('a newcomer is stopped by the guard, chooses a plan, leaves the checkout without a charge, pays and gets access', async () => {
  const artist = await newcomer()
  await withPage(app, artist, async (page) => {
    await page.goto('/social-accounts')
    await page.getByRole('heading', { name: subscriptionMessages.premiumTitle }).waitFor()
    await page.getByText(subscriptionMessages.premiumText).waitFor()
    await page.getByRole('link', { name: 'View plans' }).click()
    await page.waitForURL(/\/subscription$/)
    await card(page, 'Complete Shading').getByText('Most Popular').waitFor()
    expect(await page.getByText('Your Plan').count()).toBe(0)
    await card(page, 'Social Line Work').getByRole('button', { name: 'Subscribe Now' }).click()
    await page.waitForURL((url) => url.origin === app.sandboxUrl)
    await page.getByRole('button', { name: 'Back' }).click()
    await page.waitForURL(/\/subscription\/cancel$/)
    await page.getByText('Nothing was charged', { exact: false }).waitFor()
    const links = page.getByRole('main').getByRole('link')
    expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
      '/support',
      '/contact',
      '/subscription',
      '/new-post',
    ])
    await page.getByRole('link', { name: 'Back to the plans' }).click()
    await card(page, 'Complete Shading').getByRole('button', { name: 'Subscribe Now' }).click()
    await payAtStripe(page)
    await page.getByText(subscriptionMessages.welcome).waitFor()
    const { body } = await artist.get<Subscription>('/api/subscriptions/current')
    await page.getByText(formatNextBilling(body)).waitFor()
    await page.getByRole('link', { name: 'View subscription' }).click()
    const own = card(page, 'Complete Shading')
    await own.getByText('Your Plan').waitFor()
    await own.getByText('Active').waitFor()
    expect(await own.getByRole('button', { name: 'Current Plan' }).isDisabled()).toBe(true)
    expect(await own.getByRole('progressbar', { name: 'Billing cycle' }).getAttribute('aria-valuetext')).toMatch(
      /^\d+ days left · \d+%$/,
    )
    await own.getByText(`Next billing on ${formatNextBilling(body)}`, { exact: true }).waitFor()
    await page.goto('/social-accounts')
    await page.getByRole('heading', { name: 'Connected Accounts (0/5)' }).waitFor()
  })
})

test('a plan change is confirmed at Stripe and shown on return; a downgrade first lists what ends', async () => {
  const artist = await subscriber()
  await withPage(app, artist, async (page) => {
    await page.goto('/subscription')
    await card(page, 'Complete Shading').getByText('Replaces Social Line Work', { exact: false }).waitFor()
    await card(page, 'Complete Shading').getByRole('button', { name: 'Switch to Complete Shading' }).click()
    await page.waitForURL((url) => url.origin === app.sandboxUrl && url.pathname.startsWith('/portal/'))
    await page.getByText('Unused time on Social Line Work').waitFor()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('You are on Complete Shading now.').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await card(page, 'Complete Shading').getByText('Your Plan').waitFor()
    await card(page, 'Complete Shading')
      .getByText(/^Next billing on \w+ \d+, \d+$/)
      .waitFor()

    await card(page, 'Social Line Work').getByRole('button', { name: 'Switch to Social Line Work' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Your site shows a holding page.', { exact: false }).waitFor()
    await dialog.getByRole('button', { name: 'Change plan' }).click()
    await page.getByText('Credit for the next invoices').waitFor()
    await page.getByRole('link', { name: 'Go back' }).click()
    await card(page, 'Complete Shading').getByText('Your Plan').waitFor()
    expect((await artist.get<Subscription>('/api/subscriptions/current')).body.plan).toBe('complete-shading')

    await page.getByRole('button', { name: 'Change card' }).click()
    await page.getByRole('radio', { name: /Visa 0341/ }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your card is changed.').waitFor()
    await page.getByRole('button', { name: 'See invoices' }).click()
    await page.getByText('Visa 0341').waitFor()
    await expect.poll(async () => await page.getByRole('link', { name: /paid/ }).count()).toBe(2)
  })
})

describe('payment problems', () => {
  test('a payment that the bank must confirm is confirmed at Stripe, and is not shown as a failed card', async () => {
    const artist = await subscriber('auto=approve&card=confirm')
    await control(app, 'POST', '/stripe/advance', { subscription: await subscriptionOf(app, artist), to: 'renewal' })
    // The payment's problem may be read later than the status, which had changed while Stripe was being read.
    await eventually(
      'the open payment',
      async () => (await artist.trpc.subscription.billing.query())?.paymentProblem === 'authentication',
    )
    await withPage(app, artist, async (page) => {
      await page.goto('/subscription')
      await page.getByText(subscriptionMessages.confirmPayment).waitFor()
      await page.getByRole('button', { name: 'Confirm payment' }).click()
      await page.getByRole('button', { name: 'Confirm $19.00' }).click()
      await page.getByText('paid', { exact: true }).waitFor()
      await eventually(
        'the payment',
        async () => (await artist.get<Subscription>('/api/subscriptions/current')).body.status === 'active',
      )
    })
  })

  test('a failed card links to the page where the invoice is paid', async () => {
    const artist = await subscriber('auto=approve&card=declined')
    await control(app, 'POST', '/stripe/advance', { subscription: await subscriptionOf(app, artist), to: 'renewal' })
    await eventually(
      'the failed payment',
      async () => (await artist.get<Subscription>('/api/subscriptions/current')).body.status === 'past_due',
    )
    await withPage(app, artist, async (page) => {
      await page.goto('/new-post')
      await page.getByRole('button', { name: 'Pay now' }).click()
      await page.waitForURL((url) => url.origin === app.sandboxUrl && url.pathname.startsWith('/invoice/'))
      await expect.poll(async () => await page.getByRole('button', { name: 'Pay $19' }).count()).toBe(1)
    })
  })
})
