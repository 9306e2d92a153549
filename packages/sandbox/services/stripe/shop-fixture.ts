import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { startSandboxFixture, type SandboxFixture } from '../../sandbox-fixture.ts'
import type { SandboxOptions } from '../../main.ts'

const secret = 'whsec_test_of_the_sandbox'

/** A shop like the product: the real SDK with the sandbox, and a webhook endpoint that verifies signatures. */
export type Shop = {
  sandbox: SandboxFixture
  stripe: Stripe
  /** Verified events in order of arrival. */
  received: Stripe.Event[]
  /** Statuses of the webhook endpoint's next answers; then 200. */
  answers: number[]
  /** Waits until `done` holds for the received events. */
  until(done: () => boolean): Promise<void>
  /** A paid subscription of a new customer. */
  subscribe(
    card?: 'good' | 'declined' | 'confirm',
    key?: string,
    extra?: Partial<Stripe.Checkout.SessionCreateParams>,
  ): Promise<Sold>
  close(): Promise<void>
}
export type Sold = { customer: string; subscription: Stripe.Subscription; session: Stripe.Checkout.Session }

export function client(sandbox: SandboxFixture, key = 'sk_test_shop', options: Stripe.StripeConfig = {}): Stripe {
  return new Stripe(key, { host: 'localhost', port: sandbox.port, protocol: 'http', maxNetworkRetries: 0, ...options })
}

export async function openShop(options: Partial<SandboxOptions> = {}): Promise<Shop> {
  const received: Stripe.Event[] = []
  const answers: number[] = []
  let stripe: Stripe | undefined
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const status = answers.shift() ?? 200
      if (status === 200) {
        try {
          received.push(
            stripe!.webhooks.constructEvent(Buffer.concat(pieces), request.headers['stripe-signature']!, secret),
          )
        } catch {
          response.writeHead(400).end()
          return
        }
      }
      response.writeHead(status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const sandbox = await startSandboxFixture({ stripeWebhook: { url, secret }, ...options })
  stripe = client(sandbox)
  const own = stripe

  const shop: Shop = {
    sandbox,
    stripe: own,
    received,
    answers,
    async until(done) {
      for (let turn = 0; turn < 400 && !done(); turn++) await new Promise((resolve) => setTimeout(resolve, 25))
      if (!done()) throw new Error(`Only these came: ${received.map((one) => one.type).join(', ')}`)
    },
    async subscribe(card = 'good', key = 'social-line-work', extra = {}) {
      const prices = await own.prices.list({ lookup_keys: [key], active: true })
      const customer = await own.customers.create({ email: 'ada@ink.example', name: 'Ada Ink' })
      const session = await own.checkout.sessions.create({
        mode: 'subscription',
        customer: customer.id,
        line_items: [{ price: prices.data[0]!.id, quantity: 1 }],
        success_url: 'http://localhost:3000/subscription/success?session_id={CHECKOUT_SESSION_ID}',
        cancel_url: 'http://localhost:3000/subscription/cancel',
        client_reference_id: 'user-1',
        subscription_data: { metadata: { user_id: 'user-1' } },
        ...extra,
      })
      const paid = await fetch(`${session.url}?auto=approve&card=${card}`, { redirect: 'manual' })
      if (paid.status !== 303) throw new Error(`checkout answered ${paid.status}`)
      const done = await own.checkout.sessions.retrieve(session.id, { expand: ['subscription'] })
      return { customer: customer.id, subscription: done.subscription as Stripe.Subscription, session: done }
    },
    async close() {
      await sandbox.remove()
      server.closeAllConnections()
      server.close()
    },
  }
  return shop
}
