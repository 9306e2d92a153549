import { platforms } from '@flashsheet/contracts/networks'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { mails } from '@flashsheet/db/schema/outbox'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { System } from '../../../core/context.ts'
import { createLogger } from '../../../core/log.ts'
import { ownerScope } from '../../../core/scope.ts'
import { createArtist, type Artist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { accountsOf, connect } from '../../../testing/connect.ts'
import { control } from '../../../testing/sandbox.ts'
import { startSystem } from '../../../wiring.ts'
import { refreshIdleTokens, keepAlive, warnOfExpiry } from './token-upkeep.ts'
import { openPageToken, openToken } from './token-encryption.ts'
import { markReconnect } from './tokens.ts'

const minute = 60_000
const day = 24 * 60 * minute

let app: TestApp
/** Two processes on one database. */
let systems: { system: System; stop: (graceMs: number) => Promise<void> }[]
let system: System
beforeAll(async () => {
  app = await startTestApp()
  const options = {
    databaseUrl: app.running.databaseUrl,
    log: createLogger('silent'),
    works: false,
    now: app.clock.now,
  }
  systems = [await startSystem(app.running.config, options), await startSystem(app.running.config, options)]
  system = systems[0]!.system
})
afterAll(async () => {
  for (const one of systems) await one.stop(0)
  await app.stop()
})
beforeEach(async () => {
  await control(app, 'DELETE', '/faults')
})

async function row(account: SocialAccount) {
  const [found] = await app.client.db.select().from(socialAccounts).where(eq(socialAccounts.id, account._id))
  return found!
}
type Row = Awaited<ReturnType<typeof row>>
const opened = (of: Row, column: 'accessToken' | 'refreshToken') => {
  const sealed = of[column]
  return sealed === null
    ? null
    : openToken(app.running.config, of, column === 'accessToken' ? 'access_token' : 'refresh_token', sealed)
}
const owner = (artist: Artist) => ownerScope(artist.id)

async function endAccess(account: SocialAccount, when: Date): Promise<void> {
  await app.client.db.update(socialAccounts).set({ accessExpiresAt: when }).where(eq(socialAccounts.id, account._id))
}

describe('tokens at rest', () => {
  test('no table contains a token in plain text', async () => {
    const artist = await createArtist(app)
    for (const platform of platforms) await connect(app, artist, platform)
    const accounts = await app.client.db.select().from(socialAccounts).where(eq(socialAccounts.userId, artist.id))
    const pages = await app.client.db
      .select()
      .from(socialPages)
      .where(
        inArray(
          socialPages.accountId,
          accounts.map((account) => account.id),
        ),
      )
    const { config } = app.running
    const tokens: (string | null)[] = []
    const sealed: (string | null)[] = []
    for (const account of accounts) {
      sealed.push(account.accessToken, account.refreshToken)
      tokens.push(opened(account, 'accessToken'), opened(account, 'refreshToken'))
      for (const page of pages.filter((one) => one.accountId === account.id)) {
        sealed.push(page.accessToken)
        tokens.push(openPageToken(config, account, page))
      }
    }
    const everything =
      JSON.stringify(await app.client.sql`select * from social_accounts`) +
      JSON.stringify(await app.client.sql`select * from social_pages`)
    expect(tokens.filter((token) => token !== null).length).toBeGreaterThan(8)
    for (const token of tokens) if (token !== null) expect(everything).not.toContain(token)
    for (const value of sealed) if (value !== null) expect(value).toMatch(/^2\.[\w-]{8}\.[\w-]{16}\.[\w-]+$/)
  })
})

describe('an expiry that is near', () => {
  const warnings = async (artist: Artist) =>
    (await artist.trpc.notices.list.query()).notices.filter((notice) => notice.kind === 'account_reconnect')
  const mailed = async (artist: Artist) =>
    (await app.client.db.select().from(mails).where(eq(mails.to, artist.email))).length

  test('is warned of a week and a day ahead, once each, by notice and mail', async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'linkedin', { as: 'mV4cJ7yBnZ' })
    const end = new Date(app.clock.now().getTime() + 9 * day)
    await endAccess(account, end)
    const told: [number, number][] = []
    for (const hours of [0, 1, 49, 50, 100, 193, 194, 215]) {
      const at = { ...system, now: () => new Date(end.getTime() - 9 * day + hours * 3_600_000) }
      await warnOfExpiry(at)
      told.push([(await warnings(artist)).length, await mailed(artist)])
    }
    expect(told).toEqual([
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
      'LinkedIn will close the door within a day',
      'LinkedIn will close the door within a week',
    ])
  })

  test('is warned of again after a reconnection', async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'linkedin', { as: 'mV4cJ7yBnZ' })
    for (const days of [5, 6]) {
      await endAccess(account, new Date(app.clock.now().getTime() + days * day))
      await warnOfExpiry(system)
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
    const artist = await createArtist(app)
    const account = await connect(app, artist, platform)
    const end = new Date(app.clock.now().getTime() + days * day)
    await app.client.db
      .update(socialAccounts)
      .set({ [column]: end })
      .where(eq(socialAccounts.id, account._id))
    await warnOfExpiry(system)
    expect(await warnings(artist)).toHaveLength(isWarned ? 1 : 0)
    expect((await accountsOf(artist))[0]?.reconnectBy).toBe(isWarned ? end.toISOString() : null)
  })
})

describe('unused tokens', () => {
  test('are refreshed before they expire; others are left alone', async () => {
    const artist = await createArtist(app)
    const idle = await connect(app, artist, 'youtube')
    const used = await connect(app, artist, 'tiktok')
    const dead = await connect(app, artist, 'linkedin', { as: 'mV4cJ7yBnZ' })
    await app.client.db
      .update(socialAccounts)
      .set({ refreshedAt: new Date(app.clock.now().getTime() - 31 * day) })
      .where(eq(socialAccounts.id, idle._id))
    await endAccess(dead, new Date(app.clock.now().getTime() - minute))
    const sent: { owner: string; accountId: string }[] = []
    const watching: System = {
      ...system,
      jobs: { ...system.jobs, send: async (_tx, _queue, payload) => void sent.push(payload as never) },
    }
    await refreshIdleTokens(watching)
    const mine = sent.filter((job) => job.owner === artist.id)
    expect(mine).toEqual([{ owner: artist.id, accountId: idle._id }])
    const before = await row(used)
    await keepAlive(system, mine[0]!)
    expect((await row(idle)).refreshedAt.getTime()).toBeGreaterThan(app.clock.now().getTime() - minute)
    expect((await row(used)).accessToken).toBe(before.accessToken)
    expect((await accountsOf(artist)).find((account) => account._id === dead._id)).toMatchObject({
      health: 'reconnect',
    })
  })

  test('marking twice changes nothing more', async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'instagram')
    await markReconnect(system, owner(artist), account._id)
    await markReconnect(system, owner(artist), account._id)
    expect(await accountsOf(artist)).toMatchObject([{ health: 'reconnect' }])
    expect(await artist.put(`/api/social-accounts/${account._id}/token`)).toMatchObject({
      status: 200,
      body: { health: 'ok' },
    })
  })
})
