import { Hono } from 'hono'
import { ControlError, fieldsOf, word } from '../../control-body.ts'
import type { SandboxContext } from '../../context.ts'
import { advance } from './advance.ts'
import { seedCatalog } from './catalog.ts'
import { redeliver } from './deliveries.ts'
import { decideDispute, disputeOf, newestCharge, openDispute } from './disputes.ts'
import { parsePastAction, performPastAction } from './past-actions.ts'
import { openAccount } from './state.ts'

/** The part of the control API at `/_control/stripe`. */
export function stripeControl(sandbox: SandboxContext): Hono {
  const account = openAccount(sandbox, seedCatalog)
  const app = new Hono()

  // Oldest first.
  app.get('/events', (c) =>
    c.json(Object.values(account.state.events).map(({ id, type, created }) => ({ id, type, created }))),
  )
  app.post('/resend', async (c) => {
    const ids = (await fieldsOf(c))['events']
    if (!Array.isArray(ids) || !ids.every((id): id is string => typeof id === 'string'))
      throw new ControlError('events is a list of ids')
    const unknown = ids.find((id) => !account.state.events[id])
    if (unknown !== undefined) throw new ControlError(`No such event: ${unknown}`)
    await redeliver(account, ids)
    return c.json({ events: ids })
  })
  app.post('/advance', async (c) => {
    const fields = await fieldsOf(c)
    const { to } = fields
    if (to !== 'renewal' && to !== 'end') throw new ControlError("to is 'renewal' or 'end'")
    const subscription = word(fields, 'subscription')
    advance(account, subscription, to)
    return c.json({ subscription, to })
  })

  // Opens a dispute about the newest payment of a subscription, or decides the open one. Disputes have no page of their
  // own and do not follow from the clock.
  app.post('/dispute', async (c) => {
    const fields = await fieldsOf(c)
    const { outcome } = fields
    if (outcome !== undefined && outcome !== 'won' && outcome !== 'lost')
      throw new ControlError("outcome is 'won' or 'lost', or absent to begin")
    const subscription = word(fields, 'subscription')
    const charge = newestCharge(account, subscription)
    if (!charge) throw new ControlError(`Nothing was paid for this subscription: ${subscription}`)
    const before = disputeOf(account, charge)
    if (outcome && !before) throw new ControlError(`Nothing is disputed of this subscription: ${subscription}`)
    const { id, status } =
      outcome && before ? decideDispute(account, before, outcome === 'won') : openDispute(account, charge)
    return c.json({ dispute: id, status })
  })

  // Actions with a date in the past, which give seeded customers a billing history.
  app.post('/past', async (c) => c.json(performPastAction(account, parsePastAction(await fieldsOf(c)))))
  return app
}
