import type { System } from '../../../core/context.ts'
import { queueMail } from '../../../core/mail.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import { notifyArtist } from '../../notices/service.ts'
import { endingMail } from '../mails.ts'
import { findCurrentSubscription, findBillingRecipient, insertBillingMail, listEndings, wasMailed } from '../queries.ts'
import { billingNotice } from './mails.ts'
import { syncCustomer } from './sync.ts'

const day = 24 * 60 * 60 * 1000
/** How many days before its end a cancelled subscription is announced. */
const reminderDays = 3

/**
 * Reminds everybody whose cancelled subscription ends within three days, once each, unless they cancelled just now.
 * Reads Stripe first, because the end may have been undone there.
 */
export async function remindOfEndings(system: System): Promise<void> {
  const now = system.now()
  const until = new Date(now.getTime() + reminderDays * day)
  const since = new Date(now.getTime() - reminderDays * day)
  for (const ending of await listEndings(system.db, everyoneScope(), now, until)) {
    if (system.gateways.stripe) await syncCustomer(system, ending.stripeCustomerId)
    await system.db.transaction(async (tx) => {
      const owner = ownerScope(ending.userId)
      const current = await findCurrentSubscription(tx, owner)
      const stands =
        current?.stripeSubscriptionId === ending.stripeSubscriptionId &&
        current.cancelAtPeriodEnd &&
        current.currentPeriodEnd?.getTime() === ending.currentPeriodEnd.getTime()
      if (!stands || (await wasMailed(tx, owner, `ending:${ending.stripeSubscriptionId}:`, since))) return
      const reader = await findBillingRecipient(tx, owner)
      const key = `reminder:${ending.stripeSubscriptionId}:${ending.currentPeriodEnd.getTime()}`
      if (!reader || reader.isLeaving || !(await insertBillingMail(tx, owner, key, now))) return
      const url = `${system.config.publicUrl}/subscription`
      const text = endingMail(reader, ending.plan, ending.currentPeriodEnd, true, url)
      await queueMail(system, tx, { to: reader.email, owner }, text)
      await notifyArtist(system, tx, owner, billingNotice(key, text, 'Keep my subscription'))
    })
  }
}
