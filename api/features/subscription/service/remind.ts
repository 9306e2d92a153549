import type { System } from '../../../core/context.ts'
import { queueMail } from '../../../core/mail.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import { tellArtist } from '../../notices/service.ts'
import { endingMail } from '../mails.ts'
import { findCurrentSubscription, findReader, insertBillingMail, listEndings, wasMailed } from '../queries.ts'
import { billingNotice } from './mails.ts'
import { syncCustomer } from './sync.ts'

const day = 24 * 60 * 60 * 1000
/** How long before its end somebody who canceled is reminded. */
const reminderDays = 3

/**
 * Reminds everybody whose canceled subscription ends within three days, once each, and nobody who canceled just now: they
 * were told already. What was taken back at Stripe meanwhile is learned first.
 */
export async function remindOfEndings(system: System): Promise<void> {
  const now = system.now()
  for (const ending of await listEndings(
    system.db,
    everyoneScope(),
    now,
    new Date(now.getTime() + reminderDays * day),
  )) {
    if (system.gateways.stripe) await syncCustomer(system, ending.stripeCustomerId)
    await system.db.transaction(async (tx) => {
      const owner = ownerScope(ending.userId)
      const current = await findCurrentSubscription(tx, owner)
      const stands =
        current?.stripeSubscriptionId === ending.stripeSubscriptionId &&
        current.cancelAtPeriodEnd &&
        current.currentPeriodEnd?.getTime() === ending.currentPeriodEnd.getTime()
      if (
        !stands ||
        (await wasMailed(
          tx,
          owner,
          `ending:${ending.stripeSubscriptionId}:`,
          new Date(now.getTime() - reminderDays * day),
        ))
      )
        return
      const reader = await findReader(tx, owner)
      const key = `reminder:${ending.stripeSubscriptionId}:${ending.currentPeriodEnd.getTime()}`
      if (!reader || reader.isLeaving || !(await insertBillingMail(tx, owner, key, now))) return
      const text = endingMail(
        reader,
        ending.plan,
        ending.currentPeriodEnd,
        true,
        `${system.config.publicUrl}/subscription`,
      )
      await queueMail(system, tx, { to: reader.email, owner }, text)
      await tellArtist(system, tx, owner, billingNotice(key, text, 'Keep my subscription'))
    })
  }
}
