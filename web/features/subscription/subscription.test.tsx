import type { SubscriptionStatus } from '@flashsheet/contracts/plans'
import { subscriptionMessages, subscriptionStatusMessages } from '@flashsheet/contracts/subscription/messages'
import type { BillingDetails, CheckoutOutcome, Subscription } from '@flashsheet/contracts/subscription/schema'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, noConnection, refusal, renderWithAnswers, type Answers } from '../../test-fixture.tsx'
import { SubscriberGate } from './subscriber-gate.tsx'
import { SubscriptionScreen } from './subscription-screen.tsx'
import { SuccessScreen } from './success-screen.tsx'

const closed = ['past_due', 'unpaid', 'canceled', 'incomplete'] as const
const owed = ['past_due', 'unpaid']

const subscribed = (status: SubscriptionStatus): Subscription => ({
  plan: 'social-line-work',
  status,
  currentPeriodStart: '2039-11-01T12:00:00.000Z',
  currentPeriodEnd: '2039-12-01T12:00:00.000Z',
  cancelAtPeriodEnd: false,
})
const bill = (paymentProblem: BillingDetails['paymentProblem'] = null): BillingDetails => ({
  amountDue: paymentProblem ? 1900 : 0,
  paymentProblem,
  refundUntil: null,
})
const answersFor = (subscription: Subscription | null, billing = bill()) =>
  ({
    subscription: { mine: () => subscription, billing: () => billing },
    auth: { me: () => ada },
  }) satisfies Answers
const held = <T,>() => Promise.withResolvers<T>()
const card = (plan: string) => page.getByRole('article', { name: plan })

describe('the guard', () => {
  const guarded = async (answers: Answers) =>
    await renderWithAnswers(
      <SubscriberGate>
        <p>The calendar</p>
      </SubscriberGate>,
      answers,
    )

  test('lets an active subscription in', async () => {
    await guarded(answersFor(subscribed('active')))
    await expect.element(page.getByText('The calendar')).toBeVisible()
  })

  test('without a subscription leads to the plans', async () => {
    await guarded(answersFor(null))
    await expect.element(page.getByRole('heading', { name: subscriptionMessages.premiumTitle })).toBeVisible()
    await expect.element(page.getByText(subscriptionMessages.premiumText)).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'View plans' })).toHaveAttribute('href', '/subscription')
    await expect.element(page.getByText('The calendar')).not.toBeInTheDocument()
  })

  test.each(closed)('stops %s, says why and offers what mends it', async (status) => {
    await guarded(answersFor(subscribed(status)))
    await expect.element(page.getByRole('heading', { name: subscriptionMessages.premiumTitle })).toBeVisible()
    await expect.element(page.getByText(subscriptionStatusMessages[status])).toBeVisible()
    const goesOn = page.getByText('Your scheduled posts, your site and your bookings go on meanwhile.')
    expect(goesOn.elements()).toHaveLength(status === 'past_due' ? 1 : 0)
    if (owed.includes(status)) await expect.element(page.getByRole('button', { name: 'Pay now' })).toBeEnabled()
    else
      await expect
        .element(page.getByRole('link', { name: 'View your subscription' }))
        .toHaveAttribute('href', '/subscription')
    await expect.element(page.getByText('The calendar')).not.toBeInTheDocument()
  })

  test('a payment that the bank wants confirmed is no failed card', async () => {
    await guarded(answersFor(subscribed('past_due'), bill('authentication')))
    await expect.element(page.getByText(subscriptionMessages.confirmPayment)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Confirm payment' })).toBeEnabled()
    await expect.element(page.getByText(subscriptionStatusMessages.past_due)).not.toBeInTheDocument()
  })

  test('that cannot be loaded says so, and opens after another try', async () => {
    let isDown = true
    const mine = () => {
      if (isDown) throw noConnection()
      return subscribed('active')
    }
    await guarded({ subscription: { mine } })
    await expect.element(page.getByRole('heading', { name: subscriptionMessages.getFailed })).toBeVisible()
    isDown = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('The calendar')).toBeVisible()
  })
})

describe('/subscription', () => {
  const opened = async (answers: Answers) =>
    await renderWithAnswers(<SubscriptionScreen returned={false} done={undefined} />, answers)

  test.each(closed)('%s: says so, and the plan can be taken again unless it still runs', async (status) => {
    await opened(answersFor(subscribed(status), bill(owed.includes(status) ? 'declined' : null)))
    await expect.element(page.getByText(subscriptionStatusMessages[status])).toBeVisible()
    const own = card('Social Line Work')
    if (status === 'past_due') await expect.element(own.getByRole('button', { name: 'Current Plan' })).toBeDisabled()
    else await expect.element(own.getByRole('button', { name: 'Resubscribe' })).toBeEnabled()
    expect(page.getByRole('button', { name: 'Pay now' }).elements()).toHaveLength(owed.includes(status) ? 1 : 0)
  })

  test('a checkout that cannot be opened: a toast, and the button again', async () => {
    const checkout = held<{ url: string }>()
    const answers = answersFor(null)
    const { calls } = await opened({
      ...answers,
      subscription: { ...answers.subscription, createCheckout: () => checkout.promise },
    })
    const button = card('Social Line Work').getByRole('button')
    await button.click()
    await expect.element(button).toHaveTextContent('Processing...')
    checkout.reject(refusal(502, { message: subscriptionMessages.checkoutFailed, code: 'upstream' }))
    await expect.element(page.getByText(subscriptionMessages.checkoutFailed)).toBeVisible()
    await expect.element(button).toHaveTextContent('Subscribe Now')
    await expect.element(button).toBeEnabled()
    expect(calls).toContainEqual({ path: 'subscription.createCheckout', input: { plan: 'social-line-work' } })
  })
})

describe('/subscription/success', () => {
  test('is confirming until the card provider has answered, then names the plan and the next payment', async () => {
    const outcome = held<CheckoutOutcome>()
    await renderWithAnswers(<SuccessScreen sessionId="cs_1" />, { subscription: { confirm: () => outcome.promise } })
    await expect.element(page.getByRole('heading', { name: 'Confirming your payment' })).toBeVisible()
    outcome.resolve({ checkout: 'complete', subscription: subscribed('active') })
    await expect.element(page.getByRole('heading', { name: 'Social Line Work is yours' })).toBeVisible()
    await expect.element(page.getByText('December 1, 2039')).toBeVisible()
    await expect.element(page.getByText(subscriptionMessages.welcome)).toBeVisible()
  })

  test.each([
    // A heading ends without a full stop.
    [
      404,
      'notFound',
      subscriptionMessages.checkoutUnknown,
      subscriptionMessages.checkoutUnknown.replace(/\.$/, ''),
      /^It may belong to another account\./,
    ],
    [401, 'unauthenticated', 'Please log in.', 'Log in to see your subscription', /^Your payment is safe\./],
  ])('answered %i it says what is wrong', async (status, code, message, heading, text) => {
    const confirm = () => {
      throw refusal(status, { message, code })
    }
    await renderWithAnswers(<SuccessScreen sessionId="cs_other" />, { subscription: { confirm } })
    await expect.element(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
    await expect.element(page.getByText(text)).toBeVisible()
  })

  test('without a checkout there is nothing to confirm', async () => {
    const { calls } = await renderWithAnswers(<SuccessScreen sessionId="" />, {})
    await expect.element(page.getByRole('heading', { name: 'Nothing to confirm here' })).toBeVisible()
    expect(calls).toEqual([])
  })
})
