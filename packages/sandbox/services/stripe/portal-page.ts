import { type Context, Hono } from 'hono'
import { missingPage, page } from '../../page.ts'
import { html } from 'hono/html'
import { refusalOf } from './errors.ts'
import { act, fromFlow, type PortalAction } from './portal-actions.ts'
import { homeView, stepOf, stepView } from './portal-views.ts'
import type { Account, PortalSession } from './state.ts'

const hour = 3600

/**
 * The billing portal, `/portal/<session>`: cancel, resume, change card or plan, see and pay invoices. A link made for
 * one flow shows that flow only. `auto=approve` completes the flow, with `card=declined` or `card=confirm` by another
 * card.
 */
export function portalPages(account: Account): Hono {
  const app = new Hono()
  app.on(['GET', 'POST'], '/portal/:id', async (c) => {
    const portal = account.state.portalSessions[c.req.param('id')]
    if (!portal || portal.created + hour < account.now()) {
      return missingPage(c, 'Stripe', 'Link expired', 'This link to the billing portal has expired.')
    }
    const auto = c.req.query('auto')
    if (auto === 'approve' || auto === 'deny') {
      if (auto === 'approve') refusalOf(() => act(account, portal, fromFlow(portal, c.req.query('card'))))
      return afterFlow(c, portal)
    }
    if (c.req.method !== 'POST') return show(c, account, portal)
    const form = await c.req.parseBody()
    const click: PortalAction = Object.fromEntries(
      Object.entries(form).filter((field): field is [string, string] => typeof field[1] === 'string'),
    )
    const problem = refusalOf(() => act(account, portal, click))
    if (problem) return show(c, account, portal, problem)
    return portal.flow && click.action !== 'pay' ? afterFlow(c, portal) : c.redirect(`/portal/${portal.id}`, 303)
  })
  return app
}

/** Redirects after a completed flow: to its return address, or to the portal's home page. */
function afterFlow(c: Context, portal: PortalSession): Response {
  const after = portal.flow?.['after_completion'] as
    | { type?: string; redirect?: { return_url: string | null } | null }
    | undefined
  const redirect = after?.type === 'redirect' ? after.redirect?.return_url : null
  return c.redirect(redirect ?? portal.return_url ?? '/', 303)
}

function show(c: Context, account: Account, portal: PortalSession, problem?: string): Response | Promise<Response> {
  const step = stepOf(account, portal, c.req.query())
  const body = step ? stepView(account, portal, step) : homeView(account, portal)
  return page(
    c,
    { title: 'Billing', service: 'Stripe' },
    html`${problem ? html`<p class="card" role="alert">${problem}</p>` : ''}${body}`,
  )
}
