import { platforms } from '@flashsheet/contracts/networks'
import { users } from '@flashsheet/db/schema/auth'
import { mails } from '@flashsheet/db/schema/outbox'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { eq, inArray } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { System } from '../../../core/context.ts'
import { ownerScope } from '../../../core/scope.ts'
import { createArtist, type Artist } from '../../../testing/actors.ts'
import { accountsOf, connect } from '../../../testing/connect.ts'
import { lockWaits } from '../../../testing/lock-waits.ts'
import { fault } from '../../../testing/posting.ts'
import { control, eventually } from '../../../testing/sandbox.ts'
import { tokensFixture } from '../../../testing/tokens.ts'
import { handleRevocation } from './removals.ts'
import { refreshIdleTokens, keepAlive, warnOfExpiry } from './token-maintenance.ts'
import { openPageToken } from './token-encryption.ts'
import { markReconnect, refreshRejectedTokens } from './tokens.ts'

const minute = 60_000
const day = 24 * 60 * minute

const fixture = tokensFixture()
const { row, unsealed, setAccessExpiry } = fixture
const owner = (artist: Artist) => ownerScope(artist.id)

describe('tokens at rest', () => {
  test('no table contains a token in plain text', async () => {
    const artist = await createArtist(fixture.app)
    for (const platform of platforms) await connect(fixture.app, artist, platform)
    const accounts = await fixture.app.client.db
      .select()
      .from(socialAccounts)
      .where(eq(socialAccounts.userId, artist.id))
    const pages = await fixture.app.client.db
      .select()
      .from(socialPages)
      .where(
        inArray(
          socialPages.accountId,
          accounts.map((account) => account.id),
        ),
      )
    const { config } = fixture.app.running
    const tokens: (string | null)[] = []
    const sealed: (string | null)[] = []
    for (const account of accounts) {
      sealed.push(account.accessToken, account.refreshToken)
      tokens.push(unsealed(account, 'accessToken'), unsealed(account, 'refreshToken'))
      for (const page of pages.filter((one) => one.accountId === account.id)) {
        sealed.push(page.accessToken)
        tokens.push(openPageToken(config, account, page))
      }
    }
    const everything =
      JSON.stringify(await fixture.app.client.sql`select * from social_accounts`) +
      JSON.stringify(await fixture.app.client.sql`select * from social_pages`)
    expect(tokens.filter((token) => token !== null).length).toBeGreaterThan(8)
    for (const token of tokens) if (token !== null) expect(everything).not.toContain(token)
    for (const value of sealed) if (value !== null) expect(value).toMatch(/^2\.[\w-]{8}\.[\w-]{16}\.[\w-]+$/)
  })
})

describe('an expiry that is near', () => {
  const warnings = async (artist: Artist) =>
    (await artist.trpc.notices.list.query()).notices.filter((notice) => notice.kind === 'account_reconnect')
  const mailed = async (artist: Artist) =>
    (await fixture.app.client.db.select().from(mails).where(eq(mails.to, artist.email))).length

  test('is warned of a week and a day ahead, once each, by notice and mail', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'linkedin', { as: 'mV4cJ7yBnZ' })
    const end = new Date(fixture.app.clock.now().getTime() + 9 * day)
    await setAccessExpiry(account, end)
    const sentCounts: [number, number][] = []
    for (const hours of [0, 1, 49, 50, 100, 193, 194, 215]) {
      const at = { ...fixture.system, now: () => new Date(end.getTime() - 9 * day + hours * 3_600_000) }
      await warnOfExpiry(at)
      sentCounts.push([(await warnings(artist)).length, await mailed(artist)])
    }
    expect(sentCounts).toEqual([
      [0, 0],
      [0, 0],
      [1, 1],
      [1, 1],
      [1, 1],
      [2, 2],
      [2, 2],
      [2, 2],
    ])
    expect((await warnings(artist)).map((notice) => notice.title)).toEqual([
      'Access to LinkedIn ends within a day',
      'Access to LinkedIn ends within a week',
    ])
  })

  test('is warned of once, although each refresh names the end anew', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'linkedin')
    const end = new Date(fixture.app.clock.now().getTime() + 6 * day)
    const ends = { accessExpiresAt: end, refreshExpiresAt: end }
    await fixture.app.client.db.update(socialAccounts).set(ends).where(eq(socialAccounts.id, account._id))
    for (const hours of [0, 1, 2]) {
      const seconds = 6 * 86_400 - hours * 3600
      const body = {
        access_token: `renewed ${hours}`,
        expires_in: seconds,
        refresh_token: 'the same',
        refresh_token_expires_in: seconds,
      }
      await fault(fixture.app, 'linkedin', 'status', 'accessToken', { times: 1, status: 200, body })
      const at = { ...fixture.system, now: () => new Date(fixture.app.clock.now().getTime() + hours * 3_600_000) }
      await refreshRejectedTokens(at, owner(artist), account._id, {
        accessToken: unsealed(await row(account), 'accessToken') ?? '',
      })
      await warnOfExpiry(at)
    }
    expect(await warnings(artist)).toHaveLength(1)
  })

  test('is announced only to artists for whom posts are published', async () => {
    const end = new Date(fixture.app.clock.now().getTime() + 6 * day)
    const connected = async () => {
      const artist = await createArtist(fixture.app)
      await setAccessExpiry(await connect(fixture.app, artist, 'linkedin', { as: 'mV4cJ7yBnZ' }), end)
      return artist
    }
    const [ended, deactivated, leaving] = [await connected(), await connected(), await connected()]
    const { db } = fixture.app.client
    const setStatus = async (status: 'canceled' | 'active') =>
      await db.update(subscriptions).set({ status }).where(eq(subscriptions.userId, ended.id))
    await setStatus('canceled')
    await db.update(users).set({ isActive: false }).where(eq(users.id, deactivated.id))
    await db.update(users).set({ deletionAskedAt: end }).where(eq(users.id, leaving.id))
    await warnOfExpiry(fixture.system)
    for (const artist of [ended, deactivated, leaving]) expect(await mailed(artist)).toBe(0)
    await setStatus('active')
    await warnOfExpiry(fixture.system)
    expect(await mailed(ended)).toBe(1)
  })

  test('once it has passed, is mailed only to artists for whom posts are published', async () => {
    const expired = async () => {
      const artist = await createArtist(fixture.app)
      const account = await connect(fixture.app, artist, 'linkedin', { as: 'mV4cJ7yBnZ' })
      await setAccessExpiry(account, new Date(fixture.app.clock.now().getTime() - minute))
      return artist
    }
    const [subscribed, ended] = [await expired(), await expired()]
    const { db } = fixture.app.client
    await db.update(subscriptions).set({ status: 'canceled' }).where(eq(subscriptions.userId, ended.id))
    await refreshIdleTokens(fixture.system)
    for (const artist of [subscribed, ended]) expect(await warnings(artist)).toHaveLength(1)
    expect([await mailed(subscribed), await mailed(ended)]).toEqual([1, 0])
  })

  test('is not announced once it has passed', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'linkedin', { as: 'mV4cJ7yBnZ' })
    await setAccessExpiry(account, fixture.app.clock.now())
    await warnOfExpiry(fixture.system)
    expect(await warnings(artist)).toEqual([])
  })

  test('is warned of again after a reconnection', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'linkedin', { as: 'mV4cJ7yBnZ' })
    for (const days of [5, 6]) {
      await setAccessExpiry(account, new Date(fixture.app.clock.now().getTime() + days * day))
      await warnOfExpiry(fixture.system)
    }
    expect(await warnings(artist)).toHaveLength(2)
  })

  test.each([
    [
      'LinkedIn with a refresh token: that one ends a year after the first consent',
      'linkedin',
      'refreshExpiresAt',
      6,
      true,
    ],
    ['LinkedIn with a refresh token, which renews the access', 'linkedin', 'accessExpiresAt', 6, false],
    ['Instagram, which should have been refreshed long ago', 'instagram', 'accessExpiresAt', 6, true],
    ['Instagram, refreshed every week', 'instagram', 'accessExpiresAt', 50, false],
    ['TikTok, refreshed each time', 'tiktok', 'accessExpiresAt', 0.05, false],
    ['Facebook, whose pages stay open', 'facebook', 'accessExpiresAt', 3, false],
  ] as const)('%s', async (_what, platform, column, days, isWarned) => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, platform)
    const end = new Date(fixture.app.clock.now().getTime() + days * day)
    await fixture.app.client.db
      .update(socialAccounts)
      .set({ [column]: end })
      .where(eq(socialAccounts.id, account._id))
    await warnOfExpiry(fixture.system)
    expect(await warnings(artist)).toHaveLength(isWarned ? 1 : 0)
    expect((await accountsOf(artist))[0]?.reconnectBy).toBe(isWarned ? end.toISOString() : null)
  })
})

describe('unused tokens', () => {
  test('are refreshed before they expire; others are not refreshed', async () => {
    const artist = await createArtist(fixture.app)
    const idle = await connect(fixture.app, artist, 'youtube')
    const used = await connect(fixture.app, artist, 'tiktok')
    const dead = await connect(fixture.app, artist, 'linkedin', { as: 'mV4cJ7yBnZ' })
    await fixture.app.client.db
      .update(socialAccounts)
      .set({ refreshedAt: new Date(fixture.app.clock.now().getTime() - 31 * day) })
      .where(eq(socialAccounts.id, idle._id))
    await setAccessExpiry(dead, new Date(fixture.app.clock.now().getTime() - minute))
    const sent: { owner: string; accountId: string }[] = []
    const watching: System = {
      ...fixture.system,
      jobs: { ...fixture.system.jobs, send: async (_tx, _queue, payload) => void sent.push(payload as never) },
    }
    await refreshIdleTokens(watching)
    const mine = sent.filter((job) => job.owner === artist.id)
    expect(mine).toEqual([{ owner: artist.id, accountId: idle._id }])
    const before = await row(used)
    await keepAlive(fixture.system, mine[0]!)
    expect((await row(idle)).refreshedAt.getTime()).toBeGreaterThan(fixture.app.clock.now().getTime() - minute)
    expect((await row(used)).accessToken).toBe(before.accessToken)
    expect((await accountsOf(artist)).find((account) => account._id === dead._id)).toMatchObject({
      health: 'reconnect',
    })
  })

  test('are refreshed by another try when their network was unavailable', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'youtube')
    const job = { owner: artist.id, accountId: account._id }
    await fixture.app.client.db
      .update(socialAccounts)
      .set({ refreshedAt: new Date(fixture.app.clock.now().getTime() - 31 * day) })
      .where(eq(socialAccounts.id, account._id))
    const fault = { service: 'youtube', method: '', path: '/token', times: 1, kind: 'status', status: 503 }
    await control(fixture.app, 'POST', '/faults', fault)
    await expect(keepAlive(fixture.system, job)).rejects.toMatchObject({ class: 'retry' })
    await keepAlive(fixture.system, job)
    expect((await row(account)).refreshedAt.getTime()).toBeGreaterThan(fixture.app.clock.now().getTime() - minute)
  })

  test('marking twice changes nothing more', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'instagram')
    await markReconnect(fixture.system, owner(artist), account._id)
    fixture.app.clock.advance(minute)
    await markReconnect(fixture.system, owner(artist), account._id)
    expect(await accountsOf(artist)).toMatchObject([{ health: 'reconnect' }])
    expect((await artist.trpc.notices.list.query()).notices).toHaveLength(1)
    expect(await artist.put(`/api/social-accounts/${account._id}/token`)).toMatchObject({
      status: 200,
      body: { health: 'ok' },
    })
  })
})

describe('an account that is reconnected while its end is recorded', () => {
  test.each<[string, (account: SocialAccount) => Promise<void>]>([
    ['because its tokens expired', async () => await refreshIdleTokens(fixture.system)],
    [
      'because its person removed the app',
      async ({ platform, providerUserId }) =>
        await handleRevocation(fixture.system, { platform, userId: providerUserId, at: fixture.app.clock.now() }),
    ],
  ])('%s: stays connected', async (_because, record) => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'linkedin', { as: 'mV4cJ7yBnZ' })
    const inMinutes = (minutes: number) => new Date(fixture.app.clock.now().getTime() + minutes * minute)
    const { db } = fixture.app.client
    const set = { refreshedAt: inMinutes(-10), accessExpiresAt: inMinutes(-1) }
    await db.update(socialAccounts).set(set).where(eq(socialAccounts.id, account._id))
    let recording: Promise<void> | undefined
    await db.transaction(async (tx) => {
      const renewed = { refreshedAt: inMinutes(1), accessExpiresAt: inMinutes(1000) }
      await tx.update(socialAccounts).set(renewed).where(eq(socialAccounts.id, account._id))
      recording = record(account)
      await eventually(
        'it to wait for the reconnection',
        async () => (await lockWaits(fixture.app.client, 'social_accounts')) > 0,
      )
    })
    await recording
    expect((await row(account)).health).toBe('ok')
  })
})
