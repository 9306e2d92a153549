import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { missingPage, page } from '../../page.ts'
import { paySession, sessionOf } from './checkout.ts'
import { dollars } from './format-money.ts'
import { cardKind } from './payments.ts'
import { cardChoice } from './card-choice.ts'
import type { Account, CardKind, Session } from './state.ts'

/**
 * The hosted checkout page, `/checkout/<session>`. `auto=approve` pays; with `card=declined` by a card that fails at
 * the next renewal, with `card=confirm` by one that needs authentication then. `auto=deny` goes back.
 */
export function checkoutPages(account: Account): Hono {
  const app = new Hono()
  app.on(['GET', 'POST'], '/checkout/:id', async (c) => {
    const id = c.req.param('id')
    const session = account.state.sessions[id] && sessionOf(account, id)
    if (!session) return missingPage(c, 'Stripe', 'No such checkout', 'There is no such checkout.')
    const form: Record<string, unknown> = c.req.method === 'POST' ? await c.req.parseBody() : {}
    const decision = c.req.query('auto') ?? form['decision']
    const card: CardKind = cardKind(c.req.query('card') ?? form['card']) ?? 'good'
    if (session.status === 'expired') return endedPage(c, session, 'This checkout has expired.')
    if (decision === 'deny')
      return session.cancel_url ? c.redirect(session.cancel_url, 303) : endedPage(c, session, 'You went back.')
    if (decision === 'approve') {
      if (session.status === 'open') paySession(account, session, card)
      return c.redirect(session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id), 303)
    }
    if (session.status === 'complete') return endedPage(c, session, 'This is paid already.')
    return checkoutForm(c, account, session)
  })
  return app
}

function endedPage(c: Context, session: Session, words: string): Response | Promise<Response> {
  return page(
    c,
    { title: 'Checkout', service: 'Stripe', status: 409 },
    html`<h1>${words}</h1>
      ${session.cancel_url ? html`<p><a class="button" href="${session.cancel_url}">Back</a></p>` : ''}`,
  )
}

function checkoutForm(c: Context, account: Account, session: Session): Response | Promise<Response> {
  const plan = account.state.plans[session.id]!
  const price = account.state.prices[plan.price]!
  const name = account.state.products[price.product]?.name ?? 'Subscription'
  const email =
    session.customer_email ?? (session.customer ? account.state.customers[session.customer]?.email : undefined)
  return page(
    c,
    { title: `Pay for ${name}`, service: 'Stripe' },
    html`<h1>Subscribe to ${name}</h1>
      <p><span class="price">${dollars(price.unit_amount)}</span> per ${price.recurring?.interval ?? 'month'}</p>
      ${plan.trialDays ? html`<p>${plan.trialDays} days free, then ${dollars(price.unit_amount)}.</p>` : ''}
      ${email ? html`<p class="muted">${email}</p>` : ''}
      <form method="post">
        ${cardChoice()}
        <div class="actions">
          <button class="main" name="decision" value="approve">Pay and subscribe</button>
          <button name="decision" value="deny">Back</button>
        </div>
      </form>
      <p class="muted">No card is charged and nothing leaves this machine.</p>`,
  )
}
