import { type Platform, platforms } from '@flashsheet/contracts/networks'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import { users } from '@flashsheet/db/schema/auth'
import { socialAccounts } from '@flashsheet/db/schema/social'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSessions } from '../../../core/sessions/session.ts'
import { createArtist, createVisitor, type Artist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import {
  accountsOf,
  browserHeaders,
  connect,
  consent,
  followOAuthFlow,
  withoutPictures,
} from '../../../testing/connect.ts'
import { fault, heldMs, timesHit } from '../../../testing/posting.ts'
import { control, eventually } from '../../../testing/sandbox.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())
beforeEach(async () => {
  await control(app, 'DELETE', '/faults')
})

/** Further logins, to reach the limit of five accounts. */
const others: Record<string, string> = {
  facebook: '10226001845530122',
  instagram: '17841460011220002',
}

async function fill(artist: Artist): Promise<void> {
  for (const platform of ['facebook', 'instagram', 'tiktok'] as const) await connect(app, artist, platform)
  for (const platform of ['facebook', 'instagram'] as const)
    await connect(app, artist, platform, { as: others[platform] ?? '' })
}

/** The path of the browser's final address, and the message in it. */
function landing(end: URL): { path: string; error: string | null } {
  return { path: end.pathname, error: end.searchParams.get('error') }
}

async function start(
  artist: Pick<Artist, 'fetch'>,
  platform: string,
  headers: Record<string, string> = browserHeaders,
): Promise<Response> {
  return await artist.fetch(`/api/social-connect/${platform}`, { headers })
}

describe('who may connect', () => {
  test.each([
    ['a stranger', 401, 'unauthenticated', async () => app.visitor()],
    ['an unverified artist', 403, 'unverified', async () => await createArtist(app, { verified: false })],
    ['an artist without a subscription', 403, 'no_subscription', async () => await createArtist(app, { plan: null })],
    [
      'an artist whose subscription ended',
      403,
      'no_subscription',
      async () => await createArtist(app, { status: 'canceled' }),
    ],
  ] as const)('%s is rejected at every path', async (_who, status, code, make) => {
    const visitor = await make()
    for (const path of ['/api/socials', '/api/social-accounts', '/api/social-connect/facebook']) {
      expect({ path, ...(await visitor.get(path)) }).toMatchObject({ path, status, body: { code } })
    }
    await expect(visitor.trpc.social.accounts.query()).rejects.toMatchObject({ data: { httpStatus: status } })
  })

  test('a browser without a session is redirected to the login, one without a subscription to the screen', async () => {
    for (const path of ['facebook', 'facebook/callback?code=x&state=y']) {
      const stranger = await start(app.visitor(), path)
      expect(stranger.status).toBe(302)
      expect(landing(new URL(stranger.headers.get('location') ?? '', app.url))).toEqual({
        path: '/login',
        error: socialMessages.loginFirst,
      })
      const unpaid = await start(await createArtist(app, { plan: null }), path)
      expect(landing(new URL(unpaid.headers.get('location') ?? '', app.url))).toMatchObject({
        path: '/social-accounts',
        error: expect.stringMatching(/subscription/),
      })
    }
  })

  test('an unknown network is 404', async () => {
    const artist = await createArtist(app)
    expect(await artist.get('/api/social-connect/myspace')).toMatchObject({
      status: 404,
      body: { message: socialMessages.unknownPlatform },
    })
    for (const path of ['myspace', 'myspace/callback']) {
      const answer = await start(artist, path)
      expect(landing(new URL(answer.headers.get('location') ?? '', app.url))).toEqual({
        path: '/social-accounts',
        error: socialMessages.unknownPlatform,
      })
    }
  })

  test('lists the networks of this installation', async () => {
    const artist = await createArtist(app)
    expect((await artist.get('/api/socials')).body).toEqual(platforms.map((platform) => ({ _id: platform, platform })))
  })
})

describe('flows that must not connect', () => {
  test.each([
    ['nothing at all', ''],
    ['no state', '?code=abc'],
    ['an unknown state', '?code=abc&state=AAAAAAAAAAAAAAAAAAAAAA'],
    ['a state sent twice', '?code=abc&state=a&state=b'],
    ['an error without a state', '?error=access_denied'],
  ])('a callback with %s', async (_what, query) => {
    const artist = await createArtist(app)
    const answer = await start(artist, `facebook/callback${query}`)
    expect(landing(new URL(answer.headers.get('location') ?? '', app.url))).toEqual({
      path: '/social-accounts',
      error: socialMessages.stateUnknown,
    })
  })

  test('a used state', async () => {
    const artist = await createArtist(app)
    const back = await consent(app, artist, 'facebook')
    await artist.fetch(back.href)
    const again = await artist.fetch(back.href)
    expect(landing(new URL(again.headers.get('location') ?? '', app.url)).error).toBe(socialMessages.stateUnknown)
    expect(await accountsOf(artist)).toHaveLength(1)
  })

  test("another artist's state, and another session's of the same artist; the rightful one still works", async () => {
    const artist = await createArtist(app)
    const other = await createArtist(app)
    const otherSession = createVisitor(app.url)
    const { cookie } = await createSessions(app.client.db, app.running.config, app.clock.now).begin(artist.id)
    const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
    otherSession.cookies.set(name, value)
    const back = await consent(app, artist, 'tiktok')
    for (const thief of [other, otherSession]) {
      const answer = await thief.fetch(back.href)
      expect(landing(new URL(answer.headers.get('location') ?? '', app.url)).error).toBe(socialMessages.stateUnknown)
    }
    expect(await accountsOf(other)).toEqual([])
    const answer = await artist.fetch(back.href)
    expect(answer.headers.get('location')).toBe('/social-accounts?connected=tiktok')
  })

  test("another network's state", async () => {
    const artist = await createArtist(app)
    const back = await consent(app, artist, 'facebook')
    const answer = await artist.fetch(back.href.replace('/facebook/', '/linkedin/'))
    expect(landing(new URL(answer.headers.get('location') ?? '', app.url)).error).toBe(socialMessages.stateUnknown)
  })

  test('a state older than a quarter of an hour', async () => {
    const artist = await createArtist(app)
    const back = await consent(app, artist, 'facebook')
    app.clock.advance(15 * 60_000)
    const answer = await artist.fetch(back.href)
    expect(landing(new URL(answer.headers.get('location') ?? '', app.url)).error).toBe(socialMessages.stateUnknown)
  })

  test.each(platforms)('a person who declines at %s', async (platform) => {
    const artist = await createArtist(app)
    expect(landing(await followOAuthFlow(app, artist, platform, { auto: 'deny' }))).toEqual({
      path: '/social-accounts',
      error: socialMessages.cancelled,
    })
    expect(await accountsOf(artist)).toEqual([])
  })

  test('a permission that was deselected', async () => {
    const artist = await createArtist(app)
    const end = await followOAuthFlow(app, artist, 'facebook', { consent: { decline: 'pages_manage_posts' } })
    expect(landing(end).error).toMatch(/did not get your permission/)
  })

  test('a person with no page selected', async () => {
    const artist = await createArtist(app)
    const end = await followOAuthFlow(app, artist, 'facebook', { consent: { pages: 'none' } })
    expect(landing(end).error).toBe(socialMessages.noPages('facebook'))
  })

  test('a personal Instagram account', async () => {
    const artist = await createArtist(app)
    const end = await followOAuthFlow(app, artist, 'instagram', { as: '17841460011220003' })
    expect(landing(end).error).toMatch(/personal Instagram account/)
    expect(await accountsOf(artist)).toEqual([])
  })

  test.each([
    ['facebook', 'oauth/access_token'],
    ['facebook', 'me/accounts'],
    ['instagram', 'oauth/access_token'],
    ['tiktok', 'oauth/token'],
    ['youtube', '/token'],
    ['linkedin', 'organizationAcls'],
  ] as const)('%s failing or disconnecting at %s', async (platform, path) => {
    const artist = await createArtist(app)
    for (const fault of [{ kind: 'status', status: 500 }, { kind: 'drop' }]) {
      await control(app, 'POST', '/faults', { service: platform, method: '', path, times: 1, ...fault })
      expect({ fault, ...landing(await followOAuthFlow(app, artist, platform)) }).toEqual({
        fault,
        path: '/social-accounts',
        error: socialMessages.unreachable(platform),
      })
    }
    expect(await accountsOf(artist)).toEqual([])
  })

  test('a sixth account: refused before the consent if it cannot be a reconnection, otherwise afterwards, and revoked', async () => {
    const artist = await createArtist(app)
    await fill(artist)
    const early = await start(artist, 'youtube')
    expect(landing(new URL(early.headers.get('location') ?? '', app.url))).toEqual({
      path: '/social-accounts',
      error: socialMessages.limit,
    })
    const since = new Date().toISOString()
    const late = await followOAuthFlow(app, artist, 'facebook', { as: '10226001845530123' })
    expect(landing(late).error).toBe(socialMessages.limit)
    expect(await accountsOf(artist)).toHaveLength(5)
    const requests = await control<{ method: string; path: string }[]>(
      app,
      'GET',
      `/requests?service=facebook&since=${encodeURIComponent(since)}`,
    )
    expect(requests.filter((request) => request.method === 'DELETE' && /permissions/.test(request.path))).toHaveLength(
      1,
    )
  })

  test('an artist who is deleted meanwhile: nothing is connected, the permission is revoked, and all data goes', async () => {
    const artist = await createArtist(app)
    const admin = await createArtist(app, { plan: null, admin: true })
    // The permission is revoked only if no other account has the same login.
    await app.client.db.delete(socialAccounts)
    const back = await consent(app, artist, 'facebook')
    const since = new Date().toISOString()
    const held = await fault(app, 'facebook', 'slow', 'me/permissions', { times: 1, delayMs: heldMs })
    const returning = artist.fetch(back.href, { headers: browserHeaders })
    await eventually('the exchange', async () => (await timesHit(app, held)) === 1)
    expect(await admin.delete(`/api/admin/users/${artist.id}`)).toMatchObject({ status: 200 })
    await control(app, 'DELETE', '/faults')
    expect(landing(new URL((await returning).headers.get('location') ?? '', app.url))).toEqual({
      path: '/login',
      error: socialMessages.loginFirst,
    })
    await eventually('the artist to go', async () => (await app.client.db.$count(users, eq(users.id, artist.id))) === 0)
    const requests = await control<{ method: string; path: string; status: number }[]>(
      app,
      'GET',
      `/requests?service=facebook&since=${encodeURIComponent(since)}`,
    )
    expect(requests.filter(({ method }) => method === 'DELETE')).toMatchObject([{ status: 200 }])
  })

  test('two concurrent sixth accounts leave five', async () => {
    const artist = await createArtist(app)
    for (const platform of ['facebook', 'instagram', 'tiktok'] as const) await connect(app, artist, platform)
    await connect(app, artist, 'facebook', { as: others['facebook'] ?? '' })
    const backs = [
      await consent(app, artist, 'youtube'),
      await consent(app, artist, 'linkedin'),
      await consent(app, artist, 'instagram', { as: others['instagram'] ?? '' }),
    ]
    const ends = await Promise.all(
      backs.map(async (back) => new URL((await artist.fetch(back.href)).headers.get('location') ?? '', app.url)),
    )
    expect(ends.filter((end) => landing(end).error === socialMessages.limit)).toHaveLength(2)
    expect(await accountsOf(artist)).toHaveLength(5)
  })
})

describe('a connected account', () => {
  test.each([
    ['facebook', 'Marlo Vance', ['Black Quill Tattoo', 'Marlo Vance Fine Line']],
    ['instagram', 'Black Quill Tattoo', ['Black Quill Tattoo']],
    ['tiktok', 'Tidewater Ink', ['Tidewater Ink']],
    ['youtube', 'Tidewater Ink Films', ['Tidewater Ink Films']],
    ['linkedin', 'LinkedIn member', ['Tidewater Flash Supply', 'Tidewater Ink']],
  ] as const)(
    '%s has its pages, the same over tRPC and REST',
    async (platform: Platform, providerName: string, pages: readonly string[]) => {
      const artist = await createArtist(app)
      const account = await connect(app, artist, platform)
      expect(account).toMatchObject({ platform, providerName, health: 'ok', reconnectBy: null })
      expect(account.pages.map((page) => page.name)).toEqual(pages)
      expect((await artist.trpc.social.accounts.query()).map(withoutPictures)).toEqual([account])
      expect(await accountsOf(await createArtist(app))).toEqual([])
    },
  )

  test("facebook omits a page the person may not post to and includes the Business Manager's", async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'facebook', { as: '10226001845530123' })
    expect(account.pages.map((page) => page.name)).toEqual(['North Needle Collective', 'North Needle Supplies'])
  })

  test('reads many pages to the last', async () => {
    const made = await control<{ id: string }[]>(app, 'POST', '/pages', { platform: 'facebook', count: 120 })
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'facebook')
    expect(account.pages.map((page) => page.pageId)).toEqual(expect.arrayContaining(made.map((page) => page.id)))
    expect(account.pages).toHaveLength(122)
    await control(app, 'POST', '/reset')
  })

  test('google gets a PKCE challenge', async () => {
    const artist = await createArtist(app)
    const answer = await start(artist, 'youtube')
    const query = new URL(answer.headers.get('location') ?? '').searchParams
    expect(query.get('code_challenge_method')).toBe('S256')
    expect(query.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(query.get('access_type')).toBe('offline')
  })
})

describe('connecting again', () => {
  test('keeps the account, restores its health, and is never over the limit', async () => {
    const artist = await createArtist(app)
    await fill(artist)
    const [first] = await accountsOf(artist)
    await app.client.db
      .update(socialAccounts)
      .set({ health: 'reconnect' })
      .where(eq(socialAccounts.id, first?._id ?? ''))
    const again = await connect(app, artist, 'facebook', { as: first?.providerUserId ?? '' })
    expect(again).toEqual(first)
    expect(await accountsOf(artist)).toHaveLength(5)
  })

  test('updates the pages to those granted now', async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'facebook')
    const [kept] = account.pages
    const again = await connect(app, artist, 'facebook', { consent: { pages: kept?.pageId ?? '' } })
    expect(again.pages).toEqual([kept])
  })

  test('two artists may connect the same page', async () => {
    const [one, two] = [await createArtist(app), await createArtist(app)]
    const first = await connect(app, one, 'linkedin')
    const second = await connect(app, two, 'linkedin')
    expect(second.providerUserId).toBe(first.providerUserId)
    expect(second._id).not.toBe(first._id)
  })
})
