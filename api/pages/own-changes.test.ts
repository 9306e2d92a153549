import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../app.ts'
import { createArtist, type Artist } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { openSystem } from '../testing/system.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => await app?.stop())

describe('the answer to a change', () => {
  type OtherProcess = {
    ask: (method: string, path: string, body?: unknown) => Promise<Response>
    /** How often a request waited for the live hints of its own changes. */
    waits: () => number
    receiveHints: () => void
    artist: Artist
  }
  /** The product in another process, which receives no live hints before `receiveHints`. */
  async function withDelayedHints(use: (other: OtherProcess) => Promise<void>): Promise<void> {
    const { system, close } = await openSystem(app)
    const received = Promise.withResolvers<void>()
    let waits = 0
    const caughtUp = async () => {
      waits += 1
      await received.promise
    }
    const otherApp = createApp({ ...system, live: { ...system.live, caughtUp } })
    const artist = await createArtist(app)
    const cookie = [...artist.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    try {
      await use({
        ask: async (method, path, body) =>
          await otherApp.request(
            path,
            {
              method,
              headers: { cookie, 'content-type': 'application/json' },
              ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            },
            {
              incoming: { socket: { remoteAddress: '127.0.0.1' } },
              outgoing: { headersSent: false, destroyed: false },
            },
          ),
        waits: () => waits,
        receiveHints: received.resolve,
        artist,
      })
    } finally {
      received.resolve()
      await close()
    }
  }

  test('of a site waits until this process has dropped its cached pages', async () => {
    await withDelayedHints(async ({ ask, waits, receiveHints }) => {
      let answered = false
      const answer = ask('POST', '/api/websitebuilder', {
        personalInfo: { name: 'Ada Inkwell', domainName: 'ada-waits' },
      }).finally(() => (answered = true))
      await vi.waitFor(() => expect(waits()).toBe(1), 10_000)
      expect(answered).toBe(false)
      receiveHints()
      expect((await answer).status).toBe(200)
    })
  })

  test('of data that no page shows does not wait, nor does the answer to a read', async () => {
    await withDelayedHints(async ({ ask, waits }) => {
      expect((await ask('GET', '/api/media')).status).toBe(200)
      expect((await ask('POST', '/trpc/auth.endOtherSessions', {})).status).toBe(200)
      expect((await ask('POST', '/api/users/logout', {})).status).toBe(200)
      expect(waits()).toBe(0)
    })
  })
})

test('the site of an artist whom staff delete is closed at once, before its data is deleted', async () => {
  const artist = await createArtist(app)
  await artist.post('/api/websitebuilder', { personalInfo: { name: 'Ada Inkwell', domainName: 'ada-leaves' } })
  const status = async () => (await app.visitor().fetch('/s/ada-leaves')).status
  expect(await status()).toBe(200)
  const admin = await createArtist(app, { admin: true })
  expect((await admin.delete(`/api/admin/users/${artist.id}`)).status).toBe(200)
  // This process has no worker, so the deletion has not begun.
  expect(await app.client.sql`select from users where id = ${artist.id}`).toHaveLength(1)
  expect(await status()).toBe(404)
})
