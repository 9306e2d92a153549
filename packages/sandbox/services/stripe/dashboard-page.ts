import { Hono } from 'hono'
import { html } from 'hono/html'
import { missingPage, page } from '../../page.ts'
import type { Account } from './state.ts'

/** Dashboard folders, which are also the collections of the state. */
const collections = ['invoices', 'subscriptions', 'customers', 'events'] as const

/** All fields of one object, at `/dashboard.stripe.com/test/<folder>/<id>`. */
export function dashboardPages(account: Account): Hono {
  const app = new Hono()
  app.get('/dashboard.stripe.com/test/:folder/:id', (c) => {
    const { folder, id } = c.req.param()
    const collection = collections.find((one) => one === folder)
    const found: unknown = collection && account.state[collection][id]
    if (!found) return missingPage(c, 'Stripe', 'Not found', 'There is no such object.')
    return page(
      c,
      { title: id, service: 'Stripe' },
      html`<h1>${id}</h1>
        <p>What the owner of the shop sees in Stripe's dashboard.</p>
        <pre class="card">${JSON.stringify(found, null, 2)}</pre>`,
    )
  })
  return app
}
