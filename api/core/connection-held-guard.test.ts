import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { connect } from '../testing/connect.ts'
import { fault, heldMs, timesHit } from '../testing/posting.ts'
import { control, eventually } from '../testing/sandbox.ts'
import { openSystem } from '../testing/system.ts'
import type { System } from './context.ts'

let app: TestApp
let system: System
let close: () => Promise<void>
beforeAll(async () => {
  // Waits as long as services are held, so that no request gives up on a busy machine.
  app = await startTestApp({ interactiveTimeoutMs: heldMs })
  ;({ system, close } = await openSystem(app))
})
afterAll(async () => {
  await close?.()
  await app?.stop()
})

describe('while a database connection is held', () => {
  const calls: [string, () => Promise<unknown>][] = [
    ['Stripe', async () => await system.gateways.stripe?.findPlanPrices(['complete-shading'])],
    ['Places', async () => await system.gateways.places?.suggest('12 Main', 'a session')],
    [
      'Google',
      async () =>
        await system.gateways.google?.identify({
          code: 'x',
          codeVerifier: 'x',
          redirectUri: 'x',
          isNonce: () => true,
          now: new Date(),
        }),
    ],
    [
      'the mail server',
      async () =>
        await system.gateways.mail.send({
          to: 'a@b.example',
          subject: 'x',
          text: 'x',
          html: 'x',
          calendar: null,
          replyTo: null,
          messageId: 'x',
        }),
    ],
    [
      'tiktok',
      async () =>
        await system.gateways.networks.tiktok?.connect.refresh?.(
          { accessToken: 'x', refreshToken: 'x', accessExpiresAt: null, refreshExpiresAt: null, scopes: '' },
          new Date(),
        ),
    ],
  ]
  test.each(calls)('%s is not called', async (_name, ask) => {
    await expect(system.db.transaction(async () => void (await ask()))).rejects.toThrow(
      'while a database connection was held',
    )
  })

  test('a call that a transaction did not await is allowed once the transaction has ended', async () => {
    let later: Promise<unknown> | undefined
    const over = Promise.withResolvers<void>()
    await system.db.transaction(async () => {
      later = over.promise.then(async () => await system.gateways.stripe?.findPlanPrices(['complete-shading']))
      await Promise.resolve()
    })
    over.resolve()
    await expect(later).resolves.toHaveLength(1)
  })
})

/** More than there are connections in the pool. */
const many = 14

describe('while outside services are slow, other requests are answered', () => {
  /** Sends requests of another artist once the slow ones are under way; returns how many of these still wait afterwards. */
  async function countWaitingAfterOthers(slow: Promise<unknown>[], asked: () => Promise<boolean>): Promise<number> {
    let open = slow.length
    for (const one of slow) void one.finally(() => (open -= 1))
    const bystander = await createArtist(app)
    await eventually('the slow ones to have asked', asked)
    for (let n = 0; n < 5; n++) expect((await bystander.get('/api/media')).status).toBe(200)
    return open
  }

  test('many artists wait for Stripe', async () => {
    const artists: Artist[] = await Promise.all(Array.from({ length: many }, async () => await createArtist(app)))
    const id = await fault(app, 'stripe', 'slow', '/v1/prices', { times: 1000, delayMs: heldMs })
    const slow = artists.map(async (artist) => await artist.trpc.subscription.refresh.mutate().catch(() => undefined))
    expect(await countWaitingAfterOthers(slow, async () => (await timesHit(app, id)) >= many)).toBe(many)
    await control(app, 'DELETE', '/faults')
    await Promise.all(slow)
  })

  test('many requests wait for one account at a network, which is called once', async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'tiktok')
    const since = new Date().toISOString()
    const id = await fault(app, 'tiktok', 'slow', '/oauth/token', { times: 1000, delayMs: heldMs })
    const slow = Array.from({ length: many }, async () => await artist.put(`/api/social-accounts/${account._id}/token`))
    expect(await countWaitingAfterOthers(slow, async () => (await timesHit(app, id)) > 0)).toBe(many)
    await control(app, 'DELETE', '/faults')
    expect(new Set((await Promise.all(slow)).map(({ status }) => status))).toEqual(new Set([200]))
    const requests = await control<{ path: string }[]>(app, 'GET', `/requests?service=tiktok&since=${since}`)
    expect(requests.filter(({ path }) => path.includes('/oauth/token'))).toHaveLength(1)
  })
})
