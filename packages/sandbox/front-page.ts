import { Hono } from 'hono'
import { html } from 'hono/html'
import { networkNames } from './feed-post.ts'
import { mails } from './mail/mailbox.ts'
import { page } from './page.ts'
import { openCheckouts } from './services/stripe.ts'
import type { SandboxContext } from './context.ts'

/** `/`: explains the sandbox, with links to its pages. */
export function frontPage(sandbox: SandboxContext): Hono {
  return new Hono().get('/', (c) => {
    const checkouts = openCheckouts(sandbox)
    const letters = mails(sandbox).length
    const posts = sandbox.posts().length
    return page(
      c,
      { title: 'The outside world' },
      html`<h1>The outside world, on this machine</h1>
        <p>
          This plays Stripe, ${Object.values(networkNames).join(', ')}, Google and the mail for a Flashsheet that runs without keys. Nothing here is real: no
          card is charged, no post is public, no mail leaves.
        </p>
        <ul class="rows">
          <li><a href="/inbox"><span class="grow"><b>Inbox</b><br /><span class="muted">every mail that was sent</span></span><span class="end">${letters}</span></a></li>
          <li><a href="/wall"><span class="grow"><b>Wall</b><br /><span class="muted">every post as its network shows it</span></span><span class="end">${posts}</span></a></li>
          <li><a href="/payments"><span class="grow"><b>Payments</b><br /><span class="muted">give money back, or let a bank dispute it</span></span></a></li>
        </ul>
        <h2>Open checkouts</h2>
        ${
          checkouts.length
            ? html`<ul class="rows">
              ${checkouts.map((one) => html`<li><a href="/checkout/${one.id}"><span class="grow">${one.email ?? 'No address'}</span><span class="end">${one.product}</span></a></li>`)}
            </ul>`
            : html`<p class="muted">None. One appears when somebody picks a plan.</p>`
        }
        <p class="muted">Tests and checks steer it at <code>/_control</code>.</p>`,
    )
  })
}
