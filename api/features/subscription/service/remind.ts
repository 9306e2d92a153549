import { isLive } from '@flashsheet/contracts/plans'
import type { System } from '../../../core/context.ts'
import { forEachIsolated, throwFailures } from '../../../core/for-each-isolated.ts'
import { queueMail } from '../../../core/mail.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import { notifyArtist } from '../../notices/service.ts'
import { endingMail } from '../mails.ts'
import { findCurrentSubscription, findBillingRecipient, insertBillingMail, listEndings, wasMailed } from '../queries.ts'
import { billingNotice } from './mails.ts'
import { syncCustomer } from './sync.ts'

const dayMs = 24 * 60 * 60 * 1000
/** How many days before its end a cancelled subscription is announced. */
const reminderDays = 3

/**
 * Sends one reminder for each cancelled subscription that ends within three days, unless it was cancelled within the
 * last three. One that fails does not stop the others; the run then fails at its end and is retried.
 */
export async function remindOfEndings(system: System): Promise<void> {
  const now = system.now()
  const until = new Date(now.getTime() + reminderDays * dayMs)
  const message = 'an artist could not be reminded'
  const failures = await forEachIsolated(
    system.log,
    await listEndings(system.db, everyoneScope(), now, until),
    { message, about: ({ stripeCustomerId }) => ({ customerId: stripeCustomerId }) },
    async (ending) => await remindOf(system, ending, now),
  )
  throwFailures(failures, message)
}

type Ending = Awaited<ReturnType<typeof listEndings>>[number]

/** Reads Stripe first, because the end may have been undone there, or have come. */
async function remindOf(system: System, ending: Ending, now: Date): Promise<void> {
  const since = new Date(now.getTime() - reminderDays * dayMs)
  if (system.gateways.stripe) await syncCustomer(system, ending.stripeCustomerId)
  await system.db.transaction(async (tx) => {
    const owner = ownerScope(ending.userId)
    const current = await findCurrentSubscription(tx, owner)
    const isStillEnding =
      current?.stripeSubscriptionId === ending.stripeSubscriptionId &&
      isLive(current.status) &&
      current.cancelAtPeriodEnd &&
      current.currentPeriodEnd?.getTime() === ending.currentPeriodEnd.getTime()
    if (!isStillEnding || (await wasMailed(tx, owner, `ending:${ending.stripeSubscriptionId}:`, since))) return
    const recipient = await findBillingRecipient(tx, owner)
    const key = `reminder:${ending.stripeSubscriptionId}:${ending.currentPeriodEnd.getTime()}`
    if (!recipient || recipient.isBeingDeleted || !(await insertBillingMail(tx, owner, key, now))) return
    const url = `${system.config.publicUrl}/subscription`
    const text = endingMail(recipient, ending.plan, ending.currentPeriodEnd, true, url)
    await queueMail(system, tx, { to: recipient.email, owner }, text)
    await notifyArtist(system, tx, owner, billingNotice(key, text, 'Keep my subscription'))
  })
}
