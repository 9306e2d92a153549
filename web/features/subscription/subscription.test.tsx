import type { SubscriptionStatus } from '@flashsheet/contracts/plans'
import { subscriptionMessages, subscriptionStatusMessages } from '@flashsheet/contracts/subscription/messages'
import type { BillingDetails, CheckoutOutcome, Subscription } from '@flashsheet/contracts/subscription/schema'
import { useState } from 'react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { rememberUser } from '../../lib/remembered-user.ts'
import { useUnsentText } from '../../lib/session-end.ts'
import { useSessionUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { ada, clickTwice, noConnection, refusal, renderWithAnswers, type Answers } from '../../test-fixture.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { SubscriberGate } from './subscriber-gate.tsx'
import { SubscriptionScreen } from './subscription-screen.tsx'
import { SuccessScreen } from './success-screen.tsx'

const refusedStatuses = ['past_due', 'unpaid', 'canceled', 'incomplete'] as const
const statusesToPay = ['past_due', 'unpaid']

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
const pending = <T,>() => Promise.withResolvers<T>()
const card = (plan: string) => page.getByRole('article', { name: plan })

describe('the subscription guard', () => {
  const renderGuarded = async (answers: Answers) =>
    await renderWithAnswers(
      <SubscriberGate>
        <p>The calendar</p>
      </SubscriberGate>,
      answers,
    )

  test('shows the screen with an active subscription', async () => {
    await renderGuarded(answersFor(subscribed('active')))
    await expect.element(page.getByText('The calendar')).toBeVisible()
  })

  test('links to the plans without a subscription', async () => {
    await renderGuarded(answersFor(null))
    await expect.element(page.getByRole('heading', { name: subscriptionMessages.premiumTitle })).toBeVisible()
    await expect.element(page.getByText(subscriptionMessages.premiumText)).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'View plans' })).toHaveAttribute('href', '/subscription')
    await expect.element(page.getByText('The calendar')).not.toBeInTheDocument()
  })

  test.each(refusedStatuses)('refuses %s with the reason and the action that resolves it', async (status) => {
    await renderGuarded(answersFor(subscribed(status), bill(statusesToPay.includes(status) ? 'declined' : null)))
    await expect.element(page.getByRole('heading', { name: subscriptionMessages.premiumTitle })).toBeVisible()
    await expect.element(page.getByText(subscriptionStatusMessages[status])).toBeVisible()
    const reassurance = page.getByText('Your scheduled posts continue meanwhile.')
    expect(reassurance.elements()).toHaveLength(status === 'past_due' ? 1 : 0)
    if (statusesToPay.includes(status))
      await expect.element(page.getByRole('button', { name: 'Pay now' })).toBeEnabled()
    else
      await expect
        .element(page.getByRole('link', { name: 'View your subscription' }))
        .toHaveAttribute('href', '/subscription')
    await expect.element(page.getByText('The calendar')).not.toBeInTheDocument()
  })

  test('links to the plans if an unpaid subscription owes nothing', async () => {
    await renderGuarded(answersFor(subscribed('unpaid')))
    await expect.element(page.getByText(subscriptionStatusMessages.unpaid)).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'View your subscription' }))
      .toHaveAttribute('href', '/subscription')
    await expect.element(page.getByRole('button', { name: 'Pay now' })).not.toBeInTheDocument()
  })

  test('asks to confirm a payment that the bank has not confirmed, and reports no failed card', async () => {
    await renderGuarded(answersFor(subscribed('past_due'), bill('authentication')))
    await expect.element(page.getByText(subscriptionMessages.confirmPayment)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Confirm payment' })).toBeEnabled()
    await expect.element(page.getByText(subscriptionStatusMessages.past_due)).not.toBeInTheDocument()
  })

  test('opens by itself once another device has paid', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let subscription: Subscription | null = null
    await renderGuarded({ ...answersFor(null), subscription: { mine: () => subscription, billing: () => bill() } })
    await expect.element(page.getByRole('heading', { name: subscriptionMessages.premiumTitle })).toBeVisible()
    subscription = subscribed('active')
    vi.advanceTimersByTime(3000)
    vi.useRealTimers()
    await expect.element(page.getByText('The calendar')).toBeVisible()
  })

  test('restores what was typed when the subscription lapsed, once it is paid', async () => {
    let subscription = subscribed('active')
    let refetch = async () => {}
    function Form() {
      const utils = trpc.useUtils()
      refetch = async () => await utils.subscription.mine.invalidate()
      const [note, setNote] = useState('')
      useUnsentText('note', note === '' ? undefined : note, setNote)
      return <TextField label="Note" value={note} onChange={setNote} />
    }
    rememberUser(ada)
    onTestFinished(() => rememberUser(null))
    await renderWithAnswers(
      <SubscriberGate>
        <Form />
      </SubscriberGate>,
      { ...answersFor(null), subscription: { mine: () => subscription, billing: () => bill('declined') } },
    )
    await page.getByLabelText('Note').fill('Bring the drawing')
    subscription = subscribed('past_due')
    await refetch()
    await expect.element(page.getByRole('heading', { name: subscriptionMessages.premiumTitle })).toBeVisible()
    subscription = subscribed('active')
    await refetch()
    await expect.element(page.getByLabelText('Note')).toHaveValue('Bring the drawing')
  })

  test('shows an error when the subscription cannot be loaded, and the screen after a retry', async () => {
    let isDown = true
    const mine = () => {
      if (isDown) throw noConnection()
      return subscribed('active')
    }
    await renderGuarded({ subscription: { mine } })
    await expect.element(page.getByRole('heading', { name: subscriptionMessages.getFailed })).toBeVisible()
    isDown = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('The calendar')).toBeVisible()
  })
})

describe('/subscription', () => {
  // As in the app, the screen is shown once the user is known.
  const Screen = () => useSessionUser() && <SubscriptionScreen returned={false} done={undefined} />
  const renderScreen = async (answers: Answers) => await renderWithAnswers(<Screen />, answers)

  test.each(refusedStatuses)(
    '%s: shows the status, and offers the plan again unless it is still live',
    async (status) => {
      await renderScreen(answersFor(subscribed(status), bill(statusesToPay.includes(status) ? 'declined' : null)))
      await expect.element(page.getByText(subscriptionStatusMessages[status])).toBeVisible()
      const own = card('Social Line Work')
      if (status === 'past_due') await expect.element(own.getByRole('button', { name: 'Current Plan' })).toBeDisabled()
      else await expect.element(own.getByRole('button', { name: 'Resubscribe' })).toBeEnabled()
      expect(page.getByRole('button', { name: 'Pay now' }).elements()).toHaveLength(
        statusesToPay.includes(status) ? 1 : 0,
      )
    },
  )

  test('an unpaid subscription that owes nothing offers the plans, and no payment', async () => {
    await renderScreen(answersFor(subscribed('unpaid')))
    await expect.element(page.getByText(/^Nothing is due now/)).toBeVisible()
    await expect.element(card('Social Line Work').getByRole('button', { name: 'Resubscribe' })).toBeEnabled()
    await expect.element(page.getByRole('button', { name: 'Pay now' })).not.toBeInTheDocument()
  })

  test('canceling and reactivating each ask for confirmation', async () => {
    let subscription = subscribed('active')
    const set = (cancelAtPeriodEnd: boolean) => (subscription = { ...subscription, cancelAtPeriodEnd })
    const { calls } = await renderScreen({
      subscription: {
        mine: () => subscription,
        billing: () => bill(),
        cancel: () => set(true),
        reactivate: () => set(false),
      },
      auth: { me: () => ada },
    })
    const changes = () => calls.map(({ path }) => path).filter((path) => /cancel|reactivate/.test(path))
    const dialog = page.getByRole('alertdialog')
    const own = card('Social Line Work')
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await expect.element(dialog.getByText('December 1, 2039')).toBeVisible()
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(changes()).toEqual([])
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click()
    await expect.element(own.getByText(/^Ends on December 1, 2039/)).toBeVisible()
    expect(changes()).toEqual(['subscription.cancel'])
    await page.getByRole('button', { name: 'Reactivate' }).click()
    await dialog.getByRole('button', { name: 'Reactivate' }).click()
    await expect.element(own.getByText('Next billing on December 1, 2039', { exact: true })).toBeVisible()
    expect(changes()).toEqual(['subscription.cancel', 'subscription.reactivate'])
    await expect.element(page.getByText('Your subscription goes on.', { exact: true })).toBeVisible()
    expect(page.getByText(/^Your subscription ends/).elements()).toEqual([])
  })

  test('says that canceling or reactivating failed when the answer is an unchanged subscription', async () => {
    let subscription = subscribed('active')
    const unchanged = () => subscription
    await renderScreen({
      subscription: { mine: unchanged, billing: () => bill(), cancel: unchanged, reactivate: unchanged },
      auth: { me: () => ada },
    })
    const dialog = page.getByRole('alertdialog')
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click()
    await expect.element(page.getByText(subscriptionMessages.cancelFailed)).toBeVisible()
    subscription = { ...subscription, cancelAtPeriodEnd: true }
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click()
    await expect.element(page.getByText('Your subscription ends on December 1, 2039.')).toBeVisible()
    await page.getByRole('button', { name: 'Reactivate' }).click()
    await dialog.getByRole('button', { name: 'Reactivate' }).click()
    await expect.element(page.getByText(subscriptionMessages.reactivateFailed)).toBeVisible()
  })

  test('a checkout that cannot be opened shows a toast and enables the button again', async () => {
    const checkout = pending<{ url: string }>()
    const answers = answersFor(null)
    const { calls } = await renderScreen({
      ...answers,
      subscription: { ...answers.subscription, createCheckout: () => checkout.promise },
    })
    const button = card('Social Line Work').getByRole('button')
    await clickTwice(button)
    await expect.element(button).toHaveTextContent('Processing...')
    checkout.reject(refusal(502, { message: subscriptionMessages.checkoutFailed, code: 'upstream' }))
    await expect.element(page.getByText(subscriptionMessages.checkoutFailed)).toBeVisible()
    await expect.element(button).toHaveTextContent('Subscribe Now')
    await expect.element(button).toBeEnabled()
    expect(calls.filter(({ path }) => path === 'subscription.createCheckout')).toEqual([
      { path: 'subscription.createCheckout', input: { plan: 'social-line-work' } },
    ])
  })

  test('a checkout that is refused because another device has subscribed shows the subscription', async () => {
    let subscription: Subscription | null = null
    const createCheckout = () => {
      subscription = subscribed('active')
      throw refusal(409, { message: subscriptionMessages.alreadySubscribed, code: 'conflict' })
    }
    const { billing } = answersFor(null).subscription
    await renderScreen({ ...answersFor(null), subscription: { mine: () => subscription, billing, createCheckout } })
    await card('Complete Shading').getByRole('button').click()
    await expect.element(page.getByText(subscriptionMessages.alreadySubscribed)).toBeVisible()
    await expect.element(card('Complete Shading').getByRole('button')).toHaveTextContent('Switch to Complete Shading')
  })

  test.each([
    ['pay', 'Pay now'],
    ['openPortal', 'Change card'],
  ])('a double click calls %s once', async (call, name) => {
    const answers = answersFor(subscribed('past_due'), bill('declined'))
    const { calls } = await renderScreen({
      ...answers,
      subscription: { ...answers.subscription, [call]: async () => await pending<never>().promise },
    })
    const button = page.getByRole('button', { name, exact: true })
    const element = await clickTwice(button)
    await expect.poll(() => element.dataset['pending']).toBe('true')
    expect(calls.filter(({ path }) => path === `subscription.${call}`)).toHaveLength(1)
  })
})

describe('/subscription/success', () => {
  test('shows "confirming" until Stripe has answered, then the plan and the next payment', async () => {
    const outcome = pending<CheckoutOutcome>()
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
  ])('explains an answer with status %i', async (status, code, message, heading, text) => {
    const confirm = () => {
      throw refusal(status, { message, code })
    }
    await renderWithAnswers(<SuccessScreen sessionId="cs_other" />, { subscription: { confirm } })
    await expect.element(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
    await expect.element(page.getByText(text)).toBeVisible()
  })

  test('makes no call without a checkout', async () => {
    const { calls } = await renderWithAnswers(<SuccessScreen sessionId="" />, {})
    await expect.element(page.getByRole('heading', { name: 'No checkout to confirm' })).toBeVisible()
    expect(calls).toEqual([])
  })
})
