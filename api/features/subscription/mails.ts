import { type PlanId, plans } from '@flashsheet/contracts/plans'
import { subscriptionLimits } from '@flashsheet/contracts/subscription/limits'
import type { MailText } from '../../core/mail.ts'
import type { BillingRecipient } from './queries.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A date in the reader's zone: `March 8, 2027`. */
function dayOf(at: Date, { timeZone }: BillingRecipient): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone }).format(at)
}

/** Cents as `$49.00`. */
function money(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
}

const greeting = ({ name }: BillingRecipient): string => `Hi ${name},`

const firstSteps = (plan: PlanId): string =>
  plans[plan].hasStudio
    ? 'Connect your accounts and post once for all of them. Then set up your website with its gallery, and let clients book a time with you.'
    : 'Connect your accounts, then post once and it goes everywhere: now, or at the times you choose.'

/** For a subscription that began, or began again. */
export function welcomeMail(reader: BillingRecipient, plan: PlanId, back: boolean, postUrl: string): MailText {
  const { name } = plans[plan]
  return {
    subject: back ? `Welcome back to ${name}` : `Welcome to ${name}`,
    greeting: greeting(reader),
    paragraphs: [
      back ? 'Good to have you back. Everything is where you left it.' : `Your subscription to ${name} has begun.`,
      firstSteps(plan),
      `Not what you hoped for? Within ${subscriptionLimits.refundWindowDays} days of this payment you get your money back: write to us from the contact page.`,
    ],
    button: { label: back ? 'Go to Flashsheet' : 'Create your first post', url: postUrl },
    reason: 'You are getting this email because you subscribed to Flashsheet.',
  }
}

export type PaidInvoice = { amount: number; currency: string; at: Date; number: string | null; url: string | null }

export function receiptMail(reader: BillingRecipient, plan: PlanId, paid: PaidInvoice, billingUrl: string): MailText {
  const { name } = plans[plan]
  const amount = money(paid.amount, paid.currency)
  return {
    subject: `Your receipt: ${amount} for ${name}`,
    greeting: greeting(reader),
    paragraphs: ['Thank you. Your payment went through.'],
    facts: [
      { label: 'Amount', value: amount },
      { label: 'Date', value: dayOf(paid.at, reader) },
      { label: 'Plan', value: name },
      ...(paid.number === null ? [] : [{ label: 'Invoice', value: paid.number }]),
    ],
    button:
      paid.url === null
        ? { label: 'See your subscription', url: billingUrl }
        : { label: 'See the invoice', url: paid.url },
    reason: 'You are getting this email because a payment for your Flashsheet subscription went through.',
  }
}

export type UnpaidInvoice = {
  amount: number
  currency: string
  nextTryAt: Date | null
  url: string
  problem: 'declined' | 'authentication'
  held: boolean
}

/** For a failed charge: what stays open, what happens next, and what to do. */
export function paymentFailedMail(reader: BillingRecipient, plan: PlanId, unpaid: UnpaidInvoice): MailText {
  const amount = money(unpaid.amount, unpaid.currency)
  const { name } = plans[plan]
  const asks = unpaid.problem === 'authentication'
  const goesOn = unpaid.held
    ? 'Until it is paid, your subscription is on hold: scheduled posts wait, and nothing new can be made. Nothing you made is lost.'
    : 'Nothing stops for now: your scheduled posts, your site, your bookings and their reminders go on.'
  const next =
    unpaid.nextTryAt === null
      ? 'We do not try again by ourselves.'
      : `We try again on ${dayOf(unpaid.nextTryAt, reader)}${asks ? ', but your bank will most likely ask again.' : '. You can pay now, with another card too.'}`
  return {
    subject: asks
      ? 'Please confirm your payment'
      : unpaid.held
        ? 'Your subscription is on hold'
        : 'Your payment did not go through',
    greeting: greeting(reader),
    paragraphs: [
      asks
        ? `Your bank wants you to confirm the payment of ${amount} for ${name}. Nothing is wrong with your card; it takes a minute.`
        : `The payment of ${amount} for ${name} did not go through: your card was declined.`,
      goesOn,
      next,
    ],
    button: { label: asks ? 'Confirm the payment' : `Pay ${amount}`, url: unpaid.url },
    reason: 'You are getting this email because a payment for your Flashsheet subscription is open.',
  }
}

const whatEnds = (plan: PlanId): string =>
  plans[plan].hasStudio
    ? 'After that your site shows a holding page, nobody can book, and posts planned for later will not go out. Appointments that are made stay, with their reminders.'
    : 'Posts planned for later than that will not go out.'

/** For a requested end, and again when it is near. */
export function endingMail(
  reader: BillingRecipient,
  plan: PlanId,
  endsAt: Date,
  soon: boolean,
  billingUrl: string,
): MailText {
  const { name } = plans[plan]
  const day = dayOf(endsAt, reader)
  return {
    subject: soon ? `Your subscription ends soon: ${day}` : `Your subscription ends on ${day}`,
    greeting: greeting(reader),
    paragraphs: [
      soon
        ? `You canceled ${name}, and it ends on ${day}.`
        : `As you asked, ${name} ends on ${day}. You are not charged again, and until then everything goes on as before.`,
      whatEnds(plan),
      `Your data is kept until ${dayOf(new Date(endsAt.getTime() + subscriptionLimits.dataKeptDays * dayMs), reader)}. If you change your mind before the end, one click takes it back.`,
    ],
    button: { label: 'Keep my subscription', url: billingUrl },
    reason: 'You are getting this email because your Flashsheet subscription was canceled.',
  }
}

export function endedMail(
  reader: BillingRecipient,
  plan: PlanId,
  ended: { at: Date; unpaid: boolean },
  billingUrl: string,
): MailText {
  const { name } = plans[plan]
  const until = dayOf(new Date(ended.at.getTime() + subscriptionLimits.dataKeptDays * dayMs), reader)
  return {
    subject: 'Your subscription has ended',
    greeting: greeting(reader),
    paragraphs: [
      ended.unpaid
        ? `The last payment for ${name} could not be made, so the subscription ended on ${dayOf(ended.at, reader)}. You owe nothing.`
        : `${name} ended on ${dayOf(ended.at, reader)}, as you asked. You are not charged again.`,
      `Your posts, pictures and settings are kept until ${until}. Subscribe again before then, and everything is where you left it.`,
    ],
    button: { label: 'Subscribe again', url: billingUrl },
    reason: 'You are getting this email because your Flashsheet subscription ended.',
  }
}
