import { platforms } from '@flashsheet/contracts/networks'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import { socialAccounts } from '@flashsheet/db/schema/social'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { System } from '../../../core/context.ts'
import { ownerScope } from '../../../core/scope.ts'
import { createArtist, type Artist } from '../../../testing/actors.ts'
import { accountsOf, connect, withoutPictures } from '../../../testing/connect.ts'
import { heldMs, timesHit } from '../../../testing/posting.ts'
import { control, eventually } from '../../../testing/sandbox.ts'
import { tokensFixture } from '../../../testing/tokens.ts'
import { accountForPublish } from './publishing.ts'
import { openToken, sealToken } from './token-encryption.ts'
import { validTokens, checkTokens, markReconnect, refreshRejectedTokens } from './tokens.ts'

const minute = 60_000
const day = 24 * 60 * minute

const fixture = tokensFixture()
const { row, unsealed, setAccessExpiry, refreshes } = fixture
const owner = (artist: Artist) => ownerScope(artist.id)

async function fault(service: string, path: string, kind: string, more: Record<string, unknown> = {}): Promise<string> {
  const body = { service, method: '', path, times: 1, kind, ...more }
  return (await control<{ id: string }>(fixture.app, 'POST', '/faults', body)).id
}

describe('refusals', () => {
  test("another artist's account, an unknown one and a malformed id", async () => {
    const account = await connect(fixture.app, await createArtist(fixture.app), 'tiktok')
    const stranger = await createArtist(fixture.app)
    expect(await stranger.put(`/api/social-accounts/${account._id}/token`)).toMatchObject({
      status: 404,
      body: { message: socialMessages.unknownAccount },
    })
    expect(await stranger.put(`/api/social-accounts/${stranger.id}/token`)).toMatchObject({ status: 404 })
    expect(await stranger.put('/api/social-accounts/none/token')).toMatchObject({ status: 404 })
    expect(await fixture.app.visitor().put(`/api/social-accounts/${account._id}/token`)).toMatchObject({ status: 401 })
    await expect(stranger.trpc.social.creatorInfo.query({ socialAccountId: account._id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
    const gone = { class: 'permanent', code: 'account_gone' }
    await expect(validTokens(fixture.system, owner(stranger), account._id)).rejects.toMatchObject(gone)
    await expect(
      accountForPublish(fixture.system, owner(stranger), account._id, account.pages[0]!.pageId),
    ).rejects.toMatchObject(gone)
  })

  test("another artist's account, whose tokens are being refreshed", async () => {
    const [artist, stranger] = [await createArtist(fixture.app), await createArtist(fixture.app)]
    const account = await connect(fixture.app, artist, 'tiktok')
    await setAccessExpiry(account, new Date(fixture.app.clock.now().getTime() + 5 * minute))
    const [own, strange] = await Promise.allSettled(
      [artist, stranger].map(async (who) => await validTokens(fixture.system, owner(who), account._id)),
    )
    expect(own).toMatchObject({ status: 'fulfilled' })
    expect(strange).toMatchObject({ status: 'rejected', reason: { code: 'account_gone' } })
  })

  test('an account that only the artist can restore: 409 with the address, and recorded', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    await fault('tiktok', 'oauth/token', 'revoke-token')
    const answer = await artist.put(`/api/social-accounts/${account._id}/token`)
    expect(answer).toMatchObject({
      status: 409,
      body: {
        message: expect.stringMatching(/connect the account again/),
        reconnectUrl: `${fixture.app.url}/api/social-connect/tiktok`,
      },
    })
    expect(await accountsOf(artist)).toMatchObject([{ health: 'reconnect' }])
    const healed = await connect(fixture.app, artist, 'tiktok')
    expect(healed).toMatchObject({ _id: account._id, health: 'ok' })
    expect(await artist.put(`/api/social-accounts/${account._id}/token`)).toMatchObject({
      status: 200,
      body: { _id: account._id, health: 'ok' },
    })
  })

  test('an unavailable network is no reason to disconnect', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    await fault('tiktok', 'oauth/token', 'status', { status: 503 })
    expect(await artist.put(`/api/social-accounts/${account._id}/token`)).toMatchObject({
      status: 502,
      body: { message: 'TikTok is not answering right now.' },
    })
    expect(await accountsOf(artist)).toMatchObject([{ health: 'ok' }])
  })
})

test('missing keys of a network are no reason to disconnect', async () => {
  const artist = await createArtist(fixture.app)
  const account = await connect(fixture.app, artist, 'tiktok')
  await setAccessExpiry(account, new Date(fixture.app.clock.now().getTime() - minute))
  const { system } = fixture
  const networks = {} as System['gateways']['networks']
  const withoutKeys = { ...system, gateways: { ...system.gateways, networks } }
  await expect(validTokens(withoutKeys, owner(artist), account._id)).rejects.toMatchObject({ class: 'config' })
  expect(await accountsOf(artist)).toMatchObject([{ health: 'ok' }])
})

describe('refreshing', () => {
  test.each(platforms)('%s returns the account', async (platform) => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, platform)
    const { status, body } = await artist.put<typeof account>(`/api/social-accounts/${account._id}/token`)
    expect([status, withoutPictures(body)]).toEqual([200, account])
  })

  test('a token that is still valid is used unchanged', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    const since = new Date().toISOString()
    const { accessToken } = await validTokens(fixture.system, owner(artist), account._id)
    expect(accessToken).toBe(unsealed(await row(account), 'accessToken'))
    expect(await refreshes('tiktok', since)).toBe(0)
  })

  test('twenty callers in two processes make one refresh of a rotating token', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    const before = await row(account)
    await setAccessExpiry(account, new Date(fixture.app.clock.now().getTime() + 5 * minute))
    const since = new Date().toISOString()
    const all = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, i) => await validTokens(i % 2 === 0 ? fixture.system : fixture.other, owner(artist), account._id),
      ),
    )
    expect(new Set(all.map((one) => one.accessToken)).size).toBe(1)
    expect(await refreshes('tiktok', since)).toBe(1)
    const after = await row(account)
    expect(unsealed(after, 'accessToken')).toBe(all[0]!.accessToken)
    expect(unsealed(after, 'refreshToken')).not.toBe(unsealed(before, 'refreshToken'))
    // The network accepts the stored tokens next.
    expect(await artist.put(`/api/social-accounts/${account._id}/token`)).toMatchObject({ status: 200 })
  })

  test('callers in two processes who ask for fresh tokens make one refresh', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    const since = new Date().toISOString()
    await Promise.all(
      [fixture.system, fixture.other].map(async (system) => await checkTokens(system, owner(artist), account._id)),
    )
    expect(await refreshes('tiktok', since)).toBe(1)
  })

  test('ten concurrent API calls are safe too', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => await artist.put(`/api/social-accounts/${account._id}/token`)),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(await accountsOf(artist)).toMatchObject([{ health: 'ok' }])
  })

  test('more concurrent calls than connections do not deadlock', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const answers = await Promise.all(
      Array.from({ length: 14 }, async () => await artist.put(`/api/social-accounts/${account._id}/token`)),
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
  })

  test('an unavailable network is called once for all concurrent callers', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    await setAccessExpiry(account, new Date(fixture.app.clock.now().getTime() + 5 * minute))
    const held = await fault('tiktok', '/oauth/token', 'status', { times: 100, status: 503, delayMs: heldMs })
    const since = new Date().toISOString()
    // A caller reads the clock right before it joins the refresh under way.
    const joined = new Set<number>()
    const asking = Array.from({ length: 24 }, async (_, caller) => {
      const now = () => {
        joined.add(caller)
        return fixture.system.now()
      }
      return await validTokens({ ...fixture.system, now }, owner(artist), account._id)
    })
    await eventually('every caller to have joined', async () => await Promise.resolve(joined.size === asking.length))
    await eventually('TikTok to have been asked', async () => (await timesHit(fixture.app, held)) > 0)
    await control(fixture.app, 'DELETE', '/faults')
    const all = await Promise.all(asking)
    expect(new Set(all.map((one) => one.accessToken))).toEqual(new Set([unsealed(await row(account), 'accessToken')]))
    expect(await refreshes('tiktok', since)).toBe(1)
  })

  test.each(['youtube', 'linkedin'] as const)(
    '%s returns no new refresh token, and the old one stays',
    async (platform) => {
      const artist = await createArtist(fixture.app)
      const account = await connect(fixture.app, artist, platform)
      const before = await row(account)
      expect(unsealed(before, 'refreshToken')).toBeTruthy()
      for (let i = 0; i < 2; i++) {
        await setAccessExpiry(account, new Date(fixture.app.clock.now().getTime() + minute))
        await validTokens(fixture.system, owner(artist), account._id)
      }
      const after = await row(account)
      expect(unsealed(after, 'refreshToken')).toBe(unsealed(before, 'refreshToken'))
      expect(unsealed(after, 'accessToken')).not.toBe(unsealed(before, 'accessToken'))
    },
  )

  test('an answer of LinkedIn without the end of the refresh token keeps the known one', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'linkedin')
    const { scopes: scope, refreshExpiresAt } = await row(account)
    expect(refreshExpiresAt).not.toBeNull()
    const body = { access_token: 'fresh', expires_in: 5_184_000, scope }
    await fault('linkedin', '/accessToken', 'status', { status: 200, body })
    await checkTokens(fixture.system, owner(artist), account._id)
    const after = await row(account)
    expect([unsealed(after, 'accessToken'), after.refreshExpiresAt]).toEqual(['fresh', refreshExpiresAt])
  })

  test('a second Google consent without a refresh token keeps the stored one', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'youtube')
    const before = await row(account)
    await fault('youtube', '/token', 'status', {
      status: 200,
      body: {
        access_token: unsealed(before, 'accessToken'),
        expires_in: 1234,
        scope: before.scopes,
        token_type: 'Bearer',
      },
    })
    await connect(fixture.app, artist, 'youtube')
    const after = await row(account)
    expect(after.accessExpiresAt?.getTime()).toBeLessThan(fixture.app.clock.now().getTime() + 1234 * 1000)
    expect(unsealed(after, 'refreshToken')).toBe(unsealed(before, 'refreshToken'))
  })

  test('a failed early refresh keeps the token that is still valid', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    await setAccessExpiry(account, new Date(fixture.app.clock.now().getTime() + 5 * minute))
    const stored = unsealed(await row(account), 'accessToken')
    for (const kind of ['drop', 'status']) {
      await fault('tiktok', 'oauth/token', kind, { status: 500 })
      expect((await validTokens(fixture.system, owner(artist), account._id)).accessToken).toBe(stored)
    }
    expect(await accountsOf(artist)).toMatchObject([{ health: 'ok' }])
    await setAccessExpiry(account, new Date(fixture.app.clock.now().getTime() - minute))
    await fault('tiktok', 'oauth/token', 'drop')
    await expect(validTokens(fixture.system, owner(artist), account._id)).rejects.toMatchObject({ class: 'retry' })
    expect(await accountsOf(artist)).toMatchObject([{ health: 'ok' }])
    expect((await row(account)).refreshLostAt).not.toBeNull()
    expect((await validTokens(fixture.system, owner(artist), account._id)).accessToken).not.toBe(stored)
    expect((await row(account)).refreshLostAt).toBeNull()
  })

  test('a lost answer of a network that keeps its refresh tokens loses none', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'youtube')
    await setAccessExpiry(account, new Date(fixture.app.clock.now().getTime() - minute))
    await fault('youtube', '/token', 'drop')
    await expect(validTokens(fixture.system, owner(artist), account._id)).rejects.toMatchObject({ class: 'retry' })
    expect((await row(account)).refreshLostAt).toBeNull()
  })

  test.each([
    ['slow', 'ok'],
    ['status', 'ok'],
    ['slow', 'reconnect'],
  ] as const)('a reconnection during a refresh (%s) keeps its tokens and health (%s)', async (kind, health) => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    await setAccessExpiry(account, new Date(fixture.app.clock.now().getTime() + 5 * minute))
    const held = await fault('tiktok', '/oauth/token', kind, { delayMs: heldMs, status: 401 })
    const refreshing = validTokens(fixture.system, owner(artist), account._id)
    await eventually('TikTok to have been asked', async () => (await timesHit(fixture.app, held)) > 0)
    await connect(fixture.app, artist, 'tiktok')
    if (health === 'reconnect') await markReconnect(fixture.system, owner(artist), account._id)
    const stored = unsealed(await row(account), 'accessToken')
    await control(fixture.app, 'DELETE', '/faults')
    await refreshing
    expect([unsealed(await row(account), 'accessToken'), (await row(account)).health]).toEqual([stored, health])
  })

  test('tokens rotated by a refresh whose answer was lost: the artist is notified why, and a reconnection clears it', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    await setAccessExpiry(account, new Date(fixture.app.clock.now().getTime() - minute))
    await fault('tiktok', 'oauth/token', 'drop-after-commit')
    await expect(validTokens(fixture.system, owner(artist), account._id)).rejects.toMatchObject({ class: 'retry' })
    expect(await accountsOf(artist)).toMatchObject([{ health: 'ok' }])
    await expect(validTokens(fixture.system, owner(artist), account._id)).rejects.toMatchObject({ class: 'reconnect' })
    expect(await accountsOf(artist)).toMatchObject([{ health: 'reconnect' }])
    const { notices } = await artist.trpc.notices.list.query()
    expect(notices.map((notice) => notice.text)).toEqual([socialMessages.refreshLost('tiktok')])
    await connect(fixture.app, artist, 'tiktok')
    expect((await row(account)).refreshLostAt).toBeNull()
  })

  test.each([
    {
      answer: 'a rejection',
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Refresh token is expired.' },
    },
    { answer: 'no clear answer', status: 503, body: {} },
  ])('$answer is recorded although the key rotation sealed the token again meanwhile', async ({ status, body }) => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    await setAccessExpiry(account, new Date(fixture.app.clock.now().getTime() - minute))
    const held = await fault('tiktok', 'oauth/token', 'status', { status, body, delayMs: heldMs })
    const refresh = validTokens(fixture.system, owner(artist), account._id).catch((error: unknown) => error)
    await eventually('TikTok to have been asked', async () => (await timesHit(fixture.app, held)) > 0)
    const before = await row(account)
    const { config } = fixture.system
    const token = openToken(config, before, 'access_token', before.accessToken)
    const accessToken = sealToken(config, before, 'access_token', token)
    await fixture.app.client.db.update(socialAccounts).set({ accessToken }).where(eq(socialAccounts.id, account._id))
    await control(fixture.app, 'DELETE', '/faults')
    const isRejected = status === 400
    expect(await refresh).toMatchObject({ class: isRejected ? 'reconnect' : 'retry' })
    expect(await accountsOf(artist)).toMatchObject([{ health: isRejected ? 'reconnect' : 'ok' }])
    expect((await row(account)).refreshLostAt !== null).toBe(!isRejected)
  })

  test('a LinkedIn member without a refresh token is warned a week ahead, and must reconnect at the end', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'linkedin', { as: 'mV4cJ7yBnZ' })
    expect((await row(account)).refreshToken).toBeNull()
    const end = new Date(fixture.app.clock.now().getTime() + 6 * day)
    await setAccessExpiry(account, end)
    expect(await accountsOf(artist)).toMatchObject([{ health: 'ok', reconnectBy: end.toISOString() }])
    await setAccessExpiry(account, new Date(fixture.app.clock.now().getTime() - minute))
    await expect(
      accountForPublish(fixture.system, owner(artist), account._id, account.pages[0]!.pageId),
    ).rejects.toMatchObject({ class: 'reconnect' })
    expect(await accountsOf(artist)).toMatchObject([{ health: 'reconnect' }])
    await fault('linkedin', '', 'status', { status: 503 })
    await expect(checkTokens(fixture.system, owner(artist), account._id)).rejects.toMatchObject({ class: 'reconnect' })
  })
})

describe('a token that the network refused', () => {
  test("is refreshed once; the second caller gets the first one's result", async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    const { accessToken } = await validTokens(fixture.system, owner(artist), account._id)
    const since = new Date().toISOString()
    expect(
      await Promise.all(
        [1, 2].map(
          async () => await refreshRejectedTokens(fixture.system, owner(artist), account._id, { accessToken }),
        ),
      ),
    ).toEqual([true, true])
    expect(await refreshes('tiktok', since)).toBe(1)
  })

  test('is not given up while its network is unavailable', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    const { accessToken } = await validTokens(fixture.system, owner(artist), account._id)
    await fault('tiktok', 'oauth/token', 'status', { status: 503 })
    await expect(
      refreshRejectedTokens(fixture.system, owner(artist), account._id, { accessToken }),
    ).rejects.toMatchObject({ class: 'retry' })
  })

  test("Facebook's page tokens cannot be refreshed: the account is marked, unless the page has another token or is gone", async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'facebook')
    const refused = await accountForPublish(fixture.system, owner(artist), account._id, account.pages[0]!.pageId)
    for (const outdated of [
      { ...refused, pageAccessToken: 'an earlier one' },
      { ...refused, pageId: 'removed' },
    ]) {
      expect(await refreshRejectedTokens(fixture.system, owner(artist), account._id, outdated)).toBe(true)
      await markReconnect(fixture.system, owner(artist), account._id, outdated)
    }
    expect(await accountsOf(artist)).toMatchObject([{ health: 'ok' }])
    expect(await refreshRejectedTokens(fixture.system, owner(artist), account._id, refused)).toBe(false)
    expect(await accountsOf(artist)).toMatchObject([{ health: 'reconnect' }])
  })

  test.each(['facebook', 'instagram'] as const)(
    '%s: the refused token is not the stored one, since the artist has reconnected: nothing is marked',
    async (platform) => {
      const artist = await createArtist(fixture.app)
      const account = await connect(fixture.app, artist, platform)
      const refused = await accountForPublish(fixture.system, owner(artist), account._id, account.pages[0]!.pageId)
      await connect(fixture.app, artist, platform)
      expect(await refreshRejectedTokens(fixture.system, owner(artist), account._id, refused)).toBe(true)
      await markReconnect(fixture.system, owner(artist), account._id, refused)
      expect(await accountsOf(artist)).toMatchObject([{ health: 'ok' }])
      const stored = await accountForPublish(fixture.system, owner(artist), account._id, account.pages[0]!.pageId)
      await markReconnect(fixture.system, owner(artist), account._id, stored)
      expect(await accountsOf(artist)).toMatchObject([{ health: 'reconnect' }])
    },
  )

  test('creator info is repeated with a fresh token, and refused when that does not help', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    await fault('tiktok', 'creator_info', 'expire-token')
    expect(await artist.trpc.social.creatorInfo.query({ socialAccountId: account._id })).toMatchObject({
      nickname: 'Tidewater Ink',
      username: 'tidewater.ink',
      blocked: null,
    })
    await fault('tiktok', 'creator_info', 'revoke-token')
    await expect(artist.trpc.social.creatorInfo.query({ socialAccountId: account._id })).rejects.toMatchObject({
      data: { httpStatus: 409, refusal: { reconnectUrl: `${fixture.app.url}/api/social-connect/tiktok` } },
    })
    expect(await accountsOf(artist)).toMatchObject([{ health: 'reconnect' }])
  })

  test('creator info that is refused with a fresh token too is not asked for again', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    const body = { data: {}, error: { code: 'access_token_invalid', message: '', log_id: '1' } }
    const refusing = await fault('tiktok', 'creator_info', 'status', { status: 401, body, times: 3 })
    await expect(artist.trpc.social.creatorInfo.query({ socialAccountId: account._id })).rejects.toMatchObject({
      data: { httpStatus: 409 },
    })
    expect(await timesHit(fixture.app, refusing)).toBe(2)
    expect(await accountsOf(artist)).toMatchObject([{ health: 'reconnect' }])
  })

  test('a creator who may not post now gets the reason', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    const body = { data: {}, error: { code: 'spam_risk_too_many_posts', message: '', log_id: '1' } }
    await fault('tiktok', 'creator_info', 'status', { status: 200, body })
    expect(await artist.trpc.social.creatorInfo.query({ socialAccountId: account._id })).toMatchObject({
      blocked: 'TikTok takes no more posts from this account today.',
    })
    const facebook = await connect(fixture.app, artist, 'facebook')
    await expect(artist.trpc.social.creatorInfo.query({ socialAccountId: facebook._id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
  })
})

describe('accounts for publishing', () => {
  test("have the page's own token at Facebook, its handle elsewhere", async () => {
    const artist = await createArtist(fixture.app)
    const facebook = await connect(fixture.app, artist, 'facebook')
    const [first, second] = await Promise.all(
      facebook.pages.map(
        async (page) => await accountForPublish(fixture.system, owner(artist), facebook._id, page.pageId),
      ),
    )
    expect(first).toMatchObject({
      providerUserId: facebook.providerUserId,
      pageId: facebook.pages[0]!.pageId,
      pageUsername: 'blackquilltattoo',
    })
    expect(first!.pageAccessToken).toBeTruthy()
    expect(second!.pageAccessToken).not.toBe(first!.pageAccessToken)
    const youtube = await connect(fixture.app, artist, 'youtube')
    expect(await accountForPublish(fixture.system, owner(artist), youtube._id, youtube.pages[0]!.pageId)).toMatchObject(
      {
        pageAccessToken: null,
        pageUsername: '@tidewaterinkfilms',
      },
    )
    await expect(accountForPublish(fixture.system, owner(artist), youtube._id, 'no such page')).rejects.toMatchObject({
      code: 'page_gone',
    })
  })
})
