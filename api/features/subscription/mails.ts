import { isLive, type PlanId, plans, type SubscriptionStatus } from '@flashsheet/contracts/plans'
import { subscriptionLimits } from '@flashsheet/contracts/subscription/limits'
import { subscriptionMessages } from '@flashsheet/contracts/subscription/messages'
import type { MailText } from '../../core/mail.ts'
import type { BillingRecipient } from './queries.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A date in the recipient's zone: `March 8, 2027`. */
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

/** For a subscription that began, or began again. A deactivated artist, who paid on a page that was open, is invited to nothing. */
export function welcomeMail(recipient: BillingRecipient, plan: PlanId, isReturn: boolean, postUrl: string): MailText {
  const { name } = plans[plan]
  return {
    subject: isReturn ? `Welcome back to ${name}` : `Welcome to ${name}`,
    greeting: greeting(recipient),
    paragraphs: [
      isReturn && recipient.isActive
        ? 'Good to have you back. Your posts, pictures and settings are where you left them.'
        : `Your subscription to ${name} has begun.`,
      recipient.isActive
        ? firstSteps(plan)
        : 'Your account is deactivated: you cannot log in until it is active again.',
      `Not what you hoped for? Within ${subscriptionLimits.refundWindowDays} days of this payment you get your money back: write to us from the contact page.`,
    ],
    button: { label: isReturn || !recipient.isActive ? 'Go to Flashsheet' : 'Create your first post', url: postUrl },
    reason: 'You are getting this email because you subscribed to Flashsheet.',
  }
}

export function receiptMail(
  recipient: BillingRecipient,
  plan: PlanId,
  invoice: {
    amountPaid: number
    currency: string
    issuedAt: Date
    paidAt: Date | null
    number: string | null
    payUrl: string | null
  },
  billingUrl: string,
): MailText {
  const { name } = plans[plan]
  const { number, payUrl } = invoice
  const amount = money(invoice.amountPaid, invoice.currency)
  return {
    subject: `Your receipt: ${amount} for ${name}`,
    greeting: greeting(recipient),
    paragraphs: ['Thank you. Your payment went through.'],
    facts: [
      { label: 'Amount', value: amount },
      { label: 'Date', value: dayOf(invoice.paidAt ?? invoice.issuedAt, recipient) },
      { label: 'Plan', value: name },
      ...(number === null ? [] : [{ label: 'Invoice', value: number }]),
    ],
    button:
      payUrl === null ? { label: 'See your subscription', url: billingUrl } : { label: 'See the invoice', url: payUrl },
    reason: 'You are getting this email because a payment for your Flashsheet subscription went through.',
  }
}

type FailedPayment = {
  plan: PlanId
  invoice: { amountDue: number; currency: string; nextTryAt: Date | null; payUrl: string | null }
  problem: 'declined' | 'authentication'
  status: SubscriptionStatus
}

/** For a failed charge: what stays open, what happens next, and what to do. Without a running subscription, or deactivated, nothing continues. */
export function paymentFailedMail(
  recipient: BillingRecipient,
  { plan, invoice, problem, status }: FailedPayment,
  billingUrl: string,
): MailText {
  const amount = money(invoice.amountDue, invoice.currency)
  const { name, hasStudio } = plans[plan]
  const isOnHold = status === 'unpaid'
  const needsConfirmation = problem === 'authentication'
  const onHold = `Until it is paid, your subscription is on hold, and nothing new can be made. ${subscriptionMessages.onHold}`
  const continuing = `What you planned continues for now: your scheduled posts${hasStudio ? ', your site, your bookings and their reminders' : ''}. To make or change anything, pay first.`
  const next =
    invoice.nextTryAt === null
      ? 'We do not try again by ourselves.'
      : `We try again on ${dayOf(invoice.nextTryAt, recipient)}${needsConfirmation ? ', but your bank will most likely ask again.' : '. You can pay now, with another card too.'}`
  return {
    subject: needsConfirmation
      ? 'Please confirm your payment'
      : isOnHold
        ? 'Your subscription is on hold'
        : 'Your payment did not go through',
    greeting: greeting(recipient),
    paragraphs: [
      needsConfirmation
        ? `Your bank wants you to confirm the payment of ${amount} for ${name}. Nothing is wrong with your card; it takes a minute.`
        : `The payment of ${amount} for ${name} did not go through: your card was declined.`,
      ...(isOnHold ? [onHold] : isLive(status) && recipient.isActive ? [continuing] : []),
      next,
    ],
    button: { label: needsConfirmation ? 'Confirm the payment' : `Pay ${amount}`, url: invoice.payUrl ?? billingUrl },
    reason: 'You are getting this email because a payment for your Flashsheet subscription is open.',
  }
}

const whatEnds = (plan: PlanId): string =>
  plans[plan].hasStudio
    ? 'After that your site shows a holding page, nobody can book, and posts planned for later will not go out. Appointments that are made stay, with their reminders.'
    : 'Posts planned for later than that will not go out.'

/** For a requested end, and again when it is near. */
export function endingMail(
  recipient: BillingRecipient,
  plan: PlanId,
  endsAt: Date,
  isReminder: boolean,
  billingUrl: string,
): MailText {
  const { name } = plans[plan]
  const day = dayOf(endsAt, recipient)
  return {
    subject: isReminder ? `Your subscription ends soon: ${day}` : `Your subscription ends on ${day}`,
    greeting: greeting(recipient),
    paragraphs: [
      isReminder
        ? `You canceled ${name}, and it ends on ${day}.`
        : `As you asked, ${name} ends on ${day}. You are not charged again, and until then everything continues as before.`,
      whatEnds(plan),
      `Your data is kept until ${dayOf(new Date(endsAt.getTime() + subscriptionLimits.dataKeptDays * dayMs), recipient)}. If you change your mind before the end, one click takes it back.`,
    ],
    button: { label: 'Keep my subscription', url: billingUrl },
    reason: 'You are getting this email because your Flashsheet subscription was canceled.',
  }
}

export function endedMail(
  recipient: BillingRecipient,
  plan: PlanId,
  { endedAt, isUnpaid }: { endedAt: Date; isUnpaid: boolean },
  billingUrl: string,
): MailText {
  const { name } = plans[plan]
  const until = dayOf(new Date(endedAt.getTime() + subscriptionLimits.dataKeptDays * dayMs), recipient)
  return {
    subject: 'Your subscription has ended',
    greeting: greeting(recipient),
    paragraphs: [
      isUnpaid
        ? `The last payment for ${name} could not be made, so the subscription ended on ${dayOf(endedAt, recipient)}. You owe nothing.`
        : `${name} ended on ${dayOf(endedAt, recipient)}. You are not charged again.`,
      `Your posts, pictures and settings are kept until ${until}. Subscribe again before then, and you find them where you left them.`,
    ],
    button: { label: 'Subscribe again', url: billingUrl },
    reason: 'You are getting this email because your Flashsheet subscription ended.',
  }
}
