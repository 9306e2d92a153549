import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { adminMessages } from '@flashsheet/contracts/admin/messages'
import type { AdminUser, ArtistDetail, HistoryPage } from '@flashsheet/contracts/admin/schema'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { PostResult } from '@flashsheet/contracts/posts/schema'
import { auditEntries } from '@flashsheet/db/schema/admin'
import { users } from '@flashsheet/db/schema/auth'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { newId } from '../../core/ids.ts'
import { ownerScope } from '../../core/scope.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { stripeAt, stripeIdsOf, subscribedArtist } from '../../testing/billing.ts'
import { connect } from '../../testing/connect.ts'
import { readPost, untilSettled, shownAt, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { insertTargets, targetOf } from '../../testing/publishing.ts'
import { openSystem } from '../../testing/system.ts'
import { eventually, mailTo } from '../../testing/sandbox.ts'
import { makeAdmin } from './service/manage-users.ts'
import { sweepTargets } from '../posts/service/sweep.ts'

let app: TestApp
let admin: Artist
let other: { system: System; close: () => Promise<void> }
beforeAll(async () => {
  app = await startTestApp()
  admin = await createArtist(app, { plan: null, admin: true })
  other = await openSystem(app)
})
afterAll(async () => {
  await other.close()
  await app.stop()
})
afterEach(() => app.clock.set(new Date().toISOString()))

const put = async (who: Artist, id: string, body: unknown) =>
  await who.put<AdminUser & { message: string }>(`/api/admin/users/${id}`, body)
const toggle = async (who: Artist, id: string) =>
  await who.fetch(`/api/admin/users/${id}/toggle-status`, { method: 'PATCH' })
const log = async (subjectId: string) =>
  await app.client.db
    .select({ actorId: auditEntries.actorId, action: auditEntries.action, fields: auditEntries.fields })
    .from(auditEntries)
    .where(eq(auditEntries.subjectId, subjectId))
    .orderBy(asc(auditEntries.id))

describe('nobody removes themselves or the last admin', () => {
  test.each([[{ isActive: false }], [{ isAdmin: false }]])('oneself with %j', async (body) => {
    expect(await put(admin, admin.id, body)).toMatchObject({ status: 409, body: { message: adminMessages.self } })
    expect((await toggle(admin, admin.id)).status).toBe(409)
    expect((await put(admin, admin.id, { email: 'elsewhere@studio.example' })).body.message).toBe(
      adminMessages.ownAddress,
    )
    expect(await log(admin.id)).toEqual([])
  })

  test('of two admins who demote or deactivate each other at the same moment, one stays', async () => {
    for (const change of [{ isAdmin: false }, { isActive: false }]) {
      const pair = [
        await createArtist(app, { plan: null, admin: true }),
        await createArtist(app, { plan: null, admin: true }),
      ] as const
      // There must be no other admin.
      await app.client.db
        .update(users)
        .set({ isAdmin: false })
        .where(and(ne(users.id, pair[0].id), ne(users.id, pair[1].id)))
      const answers = await Promise.all([put(pair[0], pair[1].id, change), put(pair[1], pair[0].id, change)])
      expect(answers.filter((one) => one.status === 200)).toHaveLength(1)
      const remaining = await app.client.db
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.isAdmin, true), eq(users.isActive, true)))
      expect(remaining).toHaveLength(1)
      await app.client.db.update(users).set({ isAdmin: true }).where(eq(users.id, admin.id))
    }
  })

  test('a demoted admin can change nothing more', async () => {
    const second = await createArtist(app, { plan: null, admin: true })
    const artist = await createArtist(app)
    expect((await put(admin, second.id, { isAdmin: false })).status).toBe(200)
    // The demotion ended the session, and a new one has no admin rights.
    expect((await put(second, artist.id, { isActive: false })).status).toBe(401)
    await second.post('/api/users/auth', { email: second.email, password: second.password })
    expect(await put(second, artist.id, { isActive: false })).toMatchObject({
      status: 403,
      body: { message: errorMessages.admin },
    })
    expect(await log(second.id)).toEqual([{ actorId: admin.id, action: 'admin_revoked', fields: [] }])
  })
})

describe('changing an account', () => {
  test('rejects a taken address, an invalid one, and an unknown user', async () => {
    const [artist, holder] = [await createArtist(app), await createArtist(app)]
    expect(await put(admin, artist.id, { email: holder.email.toUpperCase() })).toMatchObject({
      status: 409,
      body: { message: adminMessages.emailTaken },
    })
    expect((await put(admin, artist.id, { email: 'nonsense' })).status).toBe(400)
    expect((await put(admin, newId(), { name: 'Nobody' })).status).toBe(404)
    expect((await put(admin, artist.id, { isAdmin: 'yes' })).status).toBe(400)
    expect(await log(artist.id)).toEqual([])
  })

  test('the address of staff cannot be changed by others, and an unverified user cannot become staff', async () => {
    const colleague = await createArtist(app, { plan: null, admin: true })
    const email = `mine-${colleague.email}`
    expect(await put(admin, colleague.id, { email })).toMatchObject({
      status: 409,
      body: { message: adminMessages.staffAddress },
    })
    expect((await put(admin, colleague.id, { email, isAdmin: false })).status).toBe(409)
    expect((await colleague.get('/api/admin/users')).status).toBe(200)
    const unverified = await createArtist(app, { plan: null, verified: false })
    expect(await put(admin, unverified.id, { isAdmin: true })).toMatchObject({
      status: 409,
      body: { message: adminMessages.staffUnverified },
    })
    const artist = await createArtist(app)
    expect((await put(admin, artist.id, { email: `mine-${artist.email}`, isAdmin: true })).status).toBe(409)
    for (const one of [colleague, unverified, artist]) expect(await log(one.id)).toEqual([])
  })

  test('an unchanged value writes no audit entry', async () => {
    const artist = await createArtist(app)
    expect(
      (await put(admin, artist.id, { name: artist.name, email: artist.email, isActive: true, isAdmin: false })).status,
    ).toBe(200)
    expect(await log(artist.id)).toEqual([])
    expect((await artist.get('/api/media')).status).toBe(200)
  })

  test('a new address is verified again, ends every session, and the old one is notified', async () => {
    const artist = await createArtist(app)
    const email = `new-${artist.email}`
    expect((await put(admin, artist.id, { name: 'Renamed', email })).body).toMatchObject({
      name: 'Renamed',
      email,
      isEmailVerified: false,
    })
    expect((await artist.get('/api/media')).status).toBe(401)
    const { links } = await mailTo(app, email, /Verify/)
    const { text } = await mailTo(app, artist.email)
    expect(text).toContain(`to ${email}, and every device was logged out.`)
    expect(text).not.toContain('takes effect once')
    const token = new URL(links.find((one) => one.includes('/verify-email')) ?? '').searchParams.get('token')
    // The link verifies the address without logging in, so that staff who open it do not become the artist.
    const opener = app.visitor()
    expect(await opener.post('/api/users/verify-email', { token })).toMatchObject({
      status: 200,
      body: { email, isEmailVerified: true },
    })
    expect(opener.cookies.size).toBe(0)
    expect(await artist.post('/api/users/auth', { email, password: artist.password })).toMatchObject({
      status: 200,
      body: { _id: artist.id, isEmailVerified: true },
    })
    expect(await log(artist.id)).toEqual([{ actorId: admin.id, action: 'user_updated', fields: ['name', 'email'] }])
    const { entries } = await admin.trpc.admin.audit.query({})
    expect(entries[0]?.addresses).toEqual({ from: 'a•••@s•••.example', to: 'n•••@s•••.example' })
  })
})

test('the page of an artist has nothing of other artists, and nothing that was disconnected', async () => {
  const [artist, other] = [await createArtist(app), await createArtist(app)]
  const variants = variantsOf(await connect(app, other, 'facebook'))
  const scheduledAt = new Date(app.clock.now().getTime() + 365 * 86_400_000).toISOString()
  const body = { mediaIds: await uploadPictures(other), variants, scheduledAt }
  expect((await other.post('/api/posts/schedule', body)).status).toBe(201)
  app.clock.advance(1000)
  const newer = await other.post<{ _id: string }>('/api/posts/schedule', body)
  const facebook = await connect(app, artist, 'facebook')
  const leaving = await connect(app, artist, 'instagram')
  const { db } = app.client
  const now = app.clock.now()
  const pageId = facebook.pages[0]?.pageId ?? ''
  await db.update(socialAccounts).set({ disconnectingAt: now }).where(eq(socialAccounts.id, leaving._id))
  await db
    .update(socialPages)
    .set({ removedAt: now })
    .where(and(eq(socialPages.accountId, facebook._id), eq(socialPages.pageId, pageId)))
  const detailOf = async ({ id }: Artist) => (await admin.get<ArtistDetail>(`/api/admin/users/${id}`)).body
  const { posts } = await detailOf(other)
  expect(posts).toMatchObject({ scheduled: 2, recent: [{ _id: newer.body._id, status: 'scheduled' }, {}] })
  expect(await detailOf(artist)).toMatchObject({
    accounts: [{ platform: 'facebook', pages: facebook.pages.length - 1 }],
    posts: { scheduled: 0, posted: 0, failed: 0, recent: [] },
    media: { items: 0, bytes: 0 },
  })
})

describe('deactivating', () => {
  test('ends the sessions, is explained at login, does not change billing, and can be undone', async () => {
    const artist = await createArtist(app)
    expect((await toggle(admin, artist.id)).status).toBe(200)
    expect((await artist.get('/api/media')).status).toBe(401)
    const login = { email: artist.email, password: artist.password }
    expect(await app.visitor().post('/api/users/auth', login)).toMatchObject({
      status: 403,
      body: { message: errorMessages.deactivated },
    })
    const [subscription] = await app.client.db.select().from(subscriptions).where(eq(subscriptions.userId, artist.id))
    expect(subscription).toMatchObject({ status: 'active', cancelAtPeriodEnd: false })
    const { text } = await mailTo(app, artist.email, /deactivated/)
    expect(text).toContain('billing go on unchanged')
    expect(text).toContain('If you have a website, it is closed to visitors until then.')
    expect(text).toContain(`still waiting ${postLimits.missedAfterHours} hours after their time are not published`)

    expect((await put(admin, artist.id, { isActive: true })).body.isActive).toBe(true)
    expect((await mailTo(app, artist.email, /active again/)).text).toContain('Your scheduled posts go on')
    expect((await app.visitor().post('/api/users/auth', login)).status).toBe(200)
    expect(await log(artist.id)).toEqual([
      { actorId: admin.id, action: 'user_deactivated', fields: [] },
      { actorId: admin.id, action: 'user_activated', fields: [] },
    ])
  })

  const hour = 3_600_000
  async function passTime(hours: number): Promise<void> {
    app.clock.advance(hours * hour + 11_000)
    await sweepTargets(other.system)
  }

  async function schedulePost(text: string): Promise<{ artist: Artist; id: string; shown: () => Promise<unknown[]> }> {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'facebook')
    const answer = await artist.post<PostResult>('/api/posts/schedule', {
      mediaIds: await uploadPictures(artist),
      variants: variantsOf(account, { message: text }),
      scheduledAt: new Date(app.clock.now().getTime() + 2 * hour).toISOString(),
    })
    return {
      artist,
      id: answer.body._id,
      shown: async () => await shownAt(app, 'facebook', account.pages[0]?.pageId ?? '', text),
    }
  }

  /** Deactivation ended the previous session. */
  const logInAgain = async (artist: Artist) =>
    expect((await artist.post('/api/users/auth', { email: artist.email, password: artist.password })).status).toBe(200)

  test('holds scheduled posts past their time; reactivated within a day, they are published', async () => {
    const { artist, id, shown } = await schedulePost('Held and back')
    const another = await schedulePost('Of another artist')
    const [begun] = await insertTargets(app.client, artist.id, new Date('2099-01-01'), { phase: 'preparing' })
    await put(admin, artist.id, { isActive: false })
    const held = async (postId: string) => (await targetOf(app, postId)).held
    expect([await held(id), await held(another.id), await held(begun?.postId ?? '')]).toEqual([true, false, false])
    await passTime(5)
    // A subscription that is resumed now does not release them either.
    await retryOnDeadlock(
      other.system.db,
      async (tx) =>
        await other.system.hooks.run('subscriptionResumed', other.system, tx, { owner: ownerScope(artist.id) }),
    )
    expect((await targetOf(app, id)).held).toBe(true)
    await passTime(1)
    expect(await shown()).toEqual([])
    await put(admin, artist.id, { isActive: true })
    // The alarm is due by the real clock, so the sweep, which uses the test's clock, sends another one.
    await sweepTargets(other.system)
    await logInAgain(artist)
    expect((await untilSettled(artist, id)).status).toBe('posted')
    expect(await shown()).toHaveLength(1)
  })

  test('held posts fail after a day, with the reason', async () => {
    const { artist, id, shown } = await schedulePost('Held too long')
    await put(admin, artist.id, { isActive: false })
    await passTime(2)
    await passTime(24)
    const failed = await mailTo(app, artist.email, /did not get to/)
    expect(failed.text).toContain(postMessages.deactivated)
    await put(admin, artist.id, { isActive: true })
    await logInAgain(artist)
    expect(await readPost(artist, id)).toMatchObject({
      status: 'failed',
      variants: [{ errorMessage: postMessages.deactivated }],
    })
    expect(await shown()).toEqual([])
  })

  test('held posts stay held when the artist is reactivated without a subscription, and fail at their time', async () => {
    const { artist, id } = await schedulePost('Held twice')
    await put(admin, artist.id, { isActive: false })
    await app.client.db.update(subscriptions).set({ status: 'unpaid' }).where(eq(subscriptions.userId, artist.id))
    await put(admin, artist.id, { isActive: true })
    expect((await mailTo(app, artist.email, /active again/)).text).not.toContain('posts')
    await passTime(2)
    await mailTo(app, artist.email, /did not get to/)
    await app.client.db.update(subscriptions).set({ status: 'active' }).where(eq(subscriptions.userId, artist.id))
    await logInAgain(artist)
    expect(await readPost(artist, id)).toMatchObject({
      status: 'failed',
      variants: [{ errorMessage: postMessages.subscriptionEnded }],
    })
  })
})

describe('deleting', () => {
  test('rejects oneself, an unknown user, and a second deletion', async () => {
    expect(await admin.delete(`/api/admin/users/${admin.id}`)).toMatchObject({
      status: 409,
      body: { message: adminMessages.self },
    })
    expect((await admin.delete(`/api/admin/users/${newId()}`)).status).toBe(404)
    const artist = await createArtist(app, { plan: null })
    const answers = await Promise.all(
      [1, 2].map(async () => (await admin.delete(`/api/admin/users/${artist.id}`)).status),
    )
    expect(answers.toSorted((a, b) => a - b)).toEqual([200, 404])
    expect(await log(artist.id)).toEqual([{ actorId: admin.id, action: 'user_deleted', fields: [] }])
  })

  test('ends sessions at once, cancels the subscription at Stripe and removes the account; its orders stay', async () => {
    const artist = await subscribedArtist(app)
    const { subscription } = await stripeIdsOf(app, artist)
    expect(await admin.delete(`/api/admin/users/${artist.id}`)).toMatchObject({
      status: 200,
      body: { message: adminMessages.deleted },
    })
    expect((await artist.get('/api/subscriptions/current')).status).toBe(401)
    expect(
      (await app.visitor().post('/api/users/auth', { email: artist.email, password: artist.password })).status,
    ).not.toBe(200)
    await eventually(
      'the account to be deleted',
      async () => (await admin.get(`/api/admin/users/${artist.id}`)).status === 404,
    )
    await eventually(
      'the end at Stripe',
      async () => (await stripeAt(app).subscriptions.retrieve(subscription)).status === 'canceled',
    )
    const { body } = await admin.get<HistoryPage>('/api/admin/subscriptions/history?action=created&limit=100')
    expect(body.history.some((entry) => entry.user === null && entry.amount > 0)).toBe(true)
  })

  test('of two admins who delete each other at the same moment, one stays', async () => {
    const pair = [
      await createArtist(app, { plan: null, admin: true }),
      await createArtist(app, { plan: null, admin: true }),
    ] as const
    const answers = await Promise.all([
      pair[0].delete(`/api/admin/users/${pair[1].id}`),
      pair[1].delete(`/api/admin/users/${pair[0].id}`),
    ])
    expect(answers.filter((one) => one.status === 200)).toHaveLength(1)
  })
})

describe('the audit log', () => {
  test('cannot be changed or emptied, by anyone', async () => {
    const { db } = app.client
    await put(admin, (await createArtist(app)).id, { name: 'Logged' })
    await expect(db.update(auditEntries).set({ action: 'user_activated' })).rejects.toThrow()
    await expect(db.delete(auditEntries)).rejects.toThrow()
    await expect(db.execute(sql`truncate audit_entries`)).rejects.toThrow()
    expect((await db.select().from(auditEntries)).length).toBeGreaterThan(0)
  })
})

describe('pnpm admin grant', () => {
  const run = promisify(execFile)
  const grant = async (...args: string[]) =>
    await run(process.execPath, ['scripts/admin.ts', ...args], { env: { ...process.env, ...app.env } })

  test('makes the first admin, and refuses an unknown address', async () => {
    const artist = await createArtist(app, { plan: null })
    const unverified = await createArtist(app, { plan: null, verified: false })
    await expect(makeAdmin(other.system, unverified.email)).rejects.toThrow(adminMessages.nobodyVerified)
    const [refused, granted] = await Promise.allSettled([
      grant('grant', 'nobody@studio.example'),
      grant('grant', artist.email.toUpperCase()),
    ])
    expect(refused).toMatchObject({
      status: 'rejected',
      reason: { stderr: expect.stringContaining('Nobody is registered with this address.') },
    })
    expect(granted).toMatchObject({
      status: 'fulfilled',
      value: { stdout: expect.stringContaining('is an admin now') },
    })
    // Older sessions end, since one may belong to an intruder.
    expect((await artist.get('/api/admin/subscriptions/analytics')).status).toBe(401)
    await artist.post('/api/users/auth', { email: artist.email, password: artist.password })
    expect((await artist.get('/api/admin/subscriptions/analytics')).status).toBe(200)
    expect(await log(artist.id)).toEqual([{ actorId: null, action: 'admin_granted', fields: [] }])
  })
})
