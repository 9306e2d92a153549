import { platformNames } from '@flashsheet/contracts/networks'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import { notices } from '@flashsheet/db/schema/notices'
import { socialAccounts } from '@flashsheet/db/schema/social'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seal } from '../../../core/crypto.ts'
import type { HookEvents } from '../../../core/hooks.ts'
import { createArtist, type Artist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { accountsOf, connect } from '../../../testing/connect.ts'
import { heldMs } from '../../../testing/posting.ts'
import { control, eventually } from '../../../testing/sandbox.ts'
import { disconnect, finishDisconnecting, removePage, cleanUpSocial } from './accounts.ts'
import { recheckAccountsSharingGrant } from './token-maintenance.ts'
import { accountForPublish } from './publishing.ts'
import { openSystem, subscriberCtx } from '../../../testing/system.ts'

let app: TestApp
/** Has no worker, so that a test decides when a job runs. */
let quiet: Awaited<ReturnType<typeof openSystem>>
beforeAll(async () => {
  app = await startTestApp()
  quiet = await openSystem(app)
})
afterAll(async () => {
  await quiet.close()
  await app.stop()
})
beforeEach(async () => {
  await control(app, 'DELETE', '/faults')
  // A permission is revoked only if no other account has the same login.
  await app.client.db.delete(socialAccounts)
})

/** A service context of the artist, on a system whose jobs do not run. */
const ctxOf = (artist: Artist) =>
  subscriberCtx(artist, { ...quiet.system, jobs: { ...quiet.system.jobs, send: async () => {} } })

async function rowsOf(artist: Artist) {
  return await app.client.db.select().from(socialAccounts).where(eq(socialAccounts.userId, artist.id))
}

type RecordedRequest = { method: string; path: string; status: number }
async function requestsTo(service: string, since: string, path: RegExp): Promise<RecordedRequest[]> {
  const requests = await control<RecordedRequest[]>(
    app,
    'GET',
    `/requests?service=${service}&since=${encodeURIComponent(since)}`,
  )
  return requests.filter((request) => path.test(request.path))
}

describe('refusals', () => {
  test("another artist's account or page is not found, and stays", async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'facebook')
    const stranger = await createArtist(app)
    const [page] = account.pages
    expect(await stranger.delete(`/api/social-accounts/${account._id}`)).toMatchObject({
      status: 404,
      body: { message: socialMessages.unknownAccount },
    })
    expect(await stranger.delete(`/api/social-accounts/${account._id}/pages/${page!.pageId}`)).toMatchObject({
      status: 404,
    })
    await expect(stranger.trpc.social.disconnect.mutate({ id: account._id })).rejects.toMatchObject({
      data: { httpStatus: 404 },
    })
    await expect(
      stranger.trpc.social.removePage.mutate({ accountId: account._id, pageId: page!.pageId }),
    ).rejects.toMatchObject({ data: { httpStatus: 404 } })
    expect(await app.visitor().delete(`/api/social-accounts/${account._id}`)).toMatchObject({ status: 401 })
    expect(await accountsOf(artist)).toEqual([account])
  })

  test('an unknown page, a second removal, and a malformed id', async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'instagram')
    expect(await artist.delete(`/api/social-accounts/${account._id}/pages/none`)).toMatchObject({
      status: 404,
      body: { message: socialMessages.pageGone },
    })
    expect(await artist.delete('/api/social-accounts/none')).toMatchObject({ status: 404, body: { code: 'notFound' } })
    expect(await artist.delete(`/api/social-accounts/${account._id}`)).toMatchObject({
      status: 200,
      body: { message: socialMessages.disconnected },
    })
    expect(await artist.delete(`/api/social-accounts/${account._id}`)).toMatchObject({ status: 404 })
  })

  test('another site cannot disconnect with the cookie', async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'tiktok')
    expect(
      await artist.delete(`/api/social-accounts/${account._id}`, undefined, { origin: 'https://evil.example' }),
    ).toMatchObject({ status: 403, body: { code: 'origin' } })
    expect(await accountsOf(artist)).toEqual([account])
  })
})

describe('disconnecting', () => {
  test.each([
    ['facebook', /permissions/],
    ['tiktok', /oauth\/revoke/],
    ['youtube', /revoke/],
    ['linkedin', /oauth\/v2\/revoke/],
  ] as const)('%s: removed from the list at once, access revoked, the tokens deleted', async (platform, path) => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, platform)
    const since = new Date().toISOString()
    expect(await artist.trpc.social.disconnect.mutate({ id: account._id })).toEqual({
      message: socialMessages.disconnected,
    })
    expect(await accountsOf(artist)).toEqual([])
    await eventually('the row to go', async () => (await rowsOf(artist)).length === 0)
    expect(await requestsTo(platform, since, path)).toMatchObject([{ status: 200 }])
  })

  test("facebook: access is revoked when the person's own token has expired, as it does after 60 days", async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'facebook')
    const since = new Date().toISOString()
    const path = 'permissions'
    await control(app, 'POST', '/faults', { service: 'facebook', method: '', path, times: 1, kind: 'expire-token' })
    await artist.delete(`/api/social-accounts/${account._id}`)
    await eventually('the row to go', async () => (await rowsOf(artist)).length === 0)
    expect(await requestsTo('facebook', since, /permissions/)).toMatchObject([{ method: 'DELETE', status: 200 }])
  })

  test('tiktok: access is revoked when the access token has expired, as it does after a day', async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'tiktok')
    app.clock.advance(25 * 3_600_000)
    const since = new Date().toISOString()
    await artist.delete(`/api/social-accounts/${account._id}`)
    await eventually('the row to go', async () => (await rowsOf(artist)).length === 0)
    expect(await requestsTo('tiktok', since, /oauth/)).toMatchObject([
      { path: expect.stringContaining('token'), status: 200 },
      { path: expect.stringContaining('revoke'), status: 200 },
    ])
  })

  test('a network that refuses, or has no such call, does not prevent it', async () => {
    const artist = await createArtist(app)
    const linkedin = await connect(app, artist, 'linkedin')
    const instagram = await connect(app, artist, 'instagram')
    await control(app, 'POST', '/faults', {
      service: 'linkedin',
      method: '',
      path: 'revoke',
      times: 1,
      kind: 'status',
      status: 400,
    })
    for (const account of [linkedin, instagram]) await artist.delete(`/api/social-accounts/${account._id}`)
    expect(await eventually('the rows to go', async () => (await rowsOf(artist)).length === 0)).toBe(true)
  })

  test('an unavailable network is retried, for a day at most', async () => {
    const artist = await createArtist(app)
    const ctx = ctxOf(artist)
    const account = await connect(app, artist, 'tiktok')
    await control(app, 'POST', '/faults', { service: 'tiktok', method: '', path: 'revoke', times: 9, kind: 'drop' })
    await disconnect(ctx, { id: account._id })
    await expect(finishDisconnecting(ctx, { owner: artist.id, accountId: account._id })).rejects.toMatchObject({
      class: 'retry',
    })
    expect(await rowsOf(artist)).toHaveLength(1)
    await app.client.db
      .update(socialAccounts)
      .set({ disconnectingAt: new Date(app.clock.now().getTime() - 25 * 3_600_000) })
      .where(eq(socialAccounts.id, account._id))
    await finishDisconnecting(ctx, { owner: artist.id, accountId: account._id })
    expect(await rowsOf(artist)).toEqual([])
  })

  test('tokens that no key decrypts are retried, for a day at most', async () => {
    const artist = await createArtist(app)
    const ctx = ctxOf(artist)
    const account = await connect(app, artist, 'tiktok')
    const accessToken = seal({ secretKey: Buffer.from('a key that is lost, and is long enough') }, 'anywhere', 'token')
    const change = async (columns: Partial<typeof socialAccounts.$inferInsert>) =>
      await app.client.db.update(socialAccounts).set(columns).where(eq(socialAccounts.id, account._id))
    await change({ accessToken })
    await disconnect(ctx, { id: account._id })
    const finish = async () => await finishDisconnecting(ctx, { owner: artist.id, accountId: account._id })
    await expect(finish()).rejects.toThrow('another key')
    expect(await rowsOf(artist)).toHaveLength(1)
    await change({ disconnectingAt: new Date(app.clock.now().getTime() - 25 * 3_600_000) })
    await finish()
    expect(await rowsOf(artist)).toEqual([])
  })

  test('a permission that another connection uses is not revoked', async () => {
    const [one, two] = [await createArtist(app), await createArtist(app)]
    const first = await connect(app, one, 'facebook')
    await connect(app, two, 'facebook')
    const videos = await connect(app, one, 'youtube')
    const flash = await connect(app, one, 'youtube', { as: 'UCbk7J3vFlashBlackthorn5' })
    const since = new Date().toISOString()
    for (const account of [first, videos]) await one.delete(`/api/social-accounts/${account._id}`)
    await eventually('the rows to go', async () => (await rowsOf(one)).length === 1)
    expect(await requestsTo('facebook', since, /permissions/)).toEqual([])
    expect(await requestsTo('youtube', since, /revoke/)).toEqual([])
    expect(await one.put(`/api/social-accounts/${flash._id}/token`)).toMatchObject({ status: 200 })
    expect(await two.put(`/api/social-accounts/${(await accountsOf(two))[0]!._id}/token`)).toMatchObject({
      status: 200,
    })
  })

  test('an artist who connects the same login during the revocation is asked to reconnect', async () => {
    const [one, two] = [await createArtist(app), await createArtist(app)]
    const leaving = await connect(app, one, 'facebook')
    await disconnect(ctxOf(one), { id: leaving._id })
    await control(app, 'POST', '/faults', {
      service: 'facebook',
      method: 'DELETE',
      path: 'permissions',
      times: 1,
      kind: 'slow',
      delayMs: heldMs,
    })
    const disconnecting = finishDisconnecting(quiet.system, { owner: one.id, accountId: leaving._id })
    await eventually(
      'the call to be on its way',
      async () => (await control<{ fired: number }[]>(app, 'GET', '/faults'))[0]?.fired === 1,
    )
    const late = await connect(app, two, 'facebook')
    await control(app, 'DELETE', '/faults')
    await disconnecting
    const [job] = await app.client.db.execute<{
      data: { platform: 'facebook'; providerUserId: string; userId: string }
      waits: boolean
    }>(
      sql`select data, start_after > clock_timestamp() as waits from pgboss.job where name = 'social.recheck' order by created_on desc limit 1`,
    )
    expect(job).toMatchObject({ waits: true, data: { platform: 'facebook' } })
    // The network may be unavailable at first, or no worker running.
    const later = { ...quiet.system, now: () => new Date(app.clock.now().getTime() + 3_600_000) }
    await recheckAccountsSharingGrant(later, job!.data)
    expect(await accountsOf(two)).toMatchObject([{ _id: late._id, health: 'reconnect' }])
    const notified = await app.client.db
      .select({ title: notices.title })
      .from(notices)
      .where(eq(notices.userId, two.id))
    expect(notified.map((notice) => notice.title)).toEqual([
      `Connect ${platformNames[late.platform]} again (${late.providerName})`,
    ])
  })

  test('an artist who connects the same login after the revocation is not asked to reconnect', async () => {
    const [one, two] = [await createArtist(app), await createArtist(app)]
    const leaving = await connect(app, one, 'facebook')
    await disconnect(ctxOf(one), { id: leaving._id })
    await finishDisconnecting(quiet.system, { owner: one.id, accountId: leaving._id })
    const late = await connect(app, two, 'facebook')
    await recheckAccountsSharingGrant(quiet.system, {
      platform: 'facebook',
      providerUserId: late.providerUserId,
      userId: one.id,
    })
    expect(await accountsOf(two)).toMatchObject([{ health: 'ok' }])
  })

  test('running publications finish first; a lost job is queued again', async () => {
    const artist = await createArtist(app)
    const ctx = ctxOf(artist)
    const account = await connect(app, artist, 'facebook')
    const [page] = account.pages
    let busy = true
    const facts: HookEvents['socialAccountDisconnecting'][] = []
    ctx.hooks.on('socialAccountDisconnecting', async (_system, _tx, fact) => void facts.push(fact))
    ctx.hooks.on('socialAccountDeleting', async (_system, _tx, fact) => {
      if (fact.accountId === account._id && busy) throw new Error('still posting')
    })
    await disconnect(ctx, { id: account._id })
    expect(facts).toEqual([{ owner: artist.id, accountId: account._id }])
    expect(await accountsOf(artist)).toEqual([])
    await expect(finishDisconnecting(ctx, { owner: artist.id, accountId: account._id })).rejects.toThrow(
      'still posting',
    )
    expect(await accountForPublish(ctx, ctx.owner, account._id, page!.pageId)).toMatchObject({ pageId: page!.pageId })
    busy = false
    const sent: unknown[] = []
    await app.client.db
      .update(socialAccounts)
      .set({ disconnectingAt: new Date(app.clock.now().getTime() - 2 * 3_600_000) })
      .where(eq(socialAccounts.id, account._id))
    await cleanUpSocial({
      ...ctx,
      jobs: { ...ctx.jobs, send: async (_tx, _queue, payload) => void sent.push(payload) },
    })
    expect(sent).toContainEqual({ owner: artist.id, accountId: account._id })
    await finishDisconnecting(ctx, { owner: artist.id, accountId: account._id })
    expect(await rowsOf(artist)).toEqual([])
  })

  test('a failing hook rolls the whole disconnection back', async () => {
    const artist = await createArtist(app)
    const ctx = ctxOf(artist)
    const account = await connect(app, artist, 'tiktok')
    ctx.hooks.on('socialAccountDisconnecting', async (_system, _tx, fact) => {
      if (fact.accountId === account._id) throw new Error('no')
    })
    await expect(disconnect(ctx, { id: account._id })).rejects.toThrow('no')
    expect(await accountsOf(artist)).toEqual([account])
  })

  test('connecting again before the end restores the account, with a new connection time', async () => {
    const artist = await createArtist(app)
    const ctx = ctxOf(artist)
    const account = await connect(app, artist, 'instagram')
    await disconnect(ctx, { id: account._id })
    const again = await connect(app, artist, 'instagram')
    expect(again._id).toBe(account._id)
    expect(Date.parse(again.pages[0]!.connectedAt ?? '')).toBeGreaterThan(
      Date.parse(account.pages[0]!.connectedAt ?? ''),
    )
    await finishDisconnecting(ctx, { owner: artist.id, accountId: account._id })
    expect(await accountsOf(artist)).toEqual([again])
  })
})

describe('removing a page', () => {
  test('keeps the others, lets running publications finish, and is undone by connecting again', async () => {
    const artist = await createArtist(app)
    const ctx = ctxOf(artist)
    const account = await connect(app, artist, 'facebook')
    const [first, second] = account.pages
    const facts: HookEvents['socialPageRemoving'][] = []
    ctx.hooks.on('socialPageRemoving', async (_system, _tx, fact) => void facts.push(fact))
    expect(await removePage(ctx, { accountId: account._id, pageId: first!.pageId })).toEqual({
      message: socialMessages.disconnected,
    })
    expect(facts).toEqual([{ owner: artist.id, accountId: account._id, pageId: first!.pageId, because: 'artist' }])
    expect((await accountsOf(artist))[0]!.pages).toEqual([second])
    expect(await artist.delete(`/api/social-accounts/${account._id}/pages/${first!.pageId}`)).toMatchObject({
      status: 404,
    })
    expect(await accountForPublish(ctx, ctx.owner, account._id, first!.pageId)).toMatchObject({
      pageUsername: 'blackquilltattoo',
    })
    const again = await connect(app, artist, 'facebook')
    expect(again.pages).toEqual([{ ...first, connectedAt: expect.any(String) }, second])
    // It is connected since then, and the other one as before.
    expect(new Date(again.pages[0]!.connectedAt!).getTime()).toBeGreaterThan(new Date(first!.connectedAt!).getTime())
  })

  test('disconnects the account with the last one', async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'linkedin')
    for (const page of account.pages) {
      expect(await artist.trpc.social.removePage.mutate({ accountId: account._id, pageId: page.pageId })).toEqual({
        message: socialMessages.disconnected,
      })
    }
    expect(await accountsOf(artist)).toEqual([])
    await eventually('the row to go', async () => (await rowsOf(artist)).length === 0)
  })
})
