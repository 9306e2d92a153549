import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import { graceDays } from '@flashsheet/contracts/auth/limits'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { connect as connectTo } from '@flashsheet/db/client'
import { linkRequests, linkTokens, userIdentities, users } from '@flashsheet/db/schema/auth'
import { mails, rateLimits } from '@flashsheet/db/schema/outbox'
import { postTargets } from '@flashsheet/db/schema/posts'
import { subscriptionOrders, subscriptions } from '@flashsheet/db/schema/subscription'
import { videoFixture, picture } from '@flashsheet/sandbox/fixtures/videos'
import { eq, inArray } from 'drizzle-orm'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { System } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { RetryLater } from '../../../core/jobs.ts'
import { ownerScope } from '../../../core/scope.ts'
import { createArtist, testPassword, type Artist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import {
  ownedRowsOf,
  countRemaining,
  listArtistColumns,
  listReferences,
  listTables,
  tablesContaining,
} from '../../../testing/owned-rows.ts'
import { stripeAt, stripeIdsOf, subscribedArtist } from '../../../testing/billing.ts'
import { interceptStatements } from '../../../testing/failing-database.ts'
import { openSystem } from '../../../testing/system.ts'
import { connect } from '../../../testing/connect.ts'
import { heldMs, postNow, untilSettled, uploadPictures, variantsOf } from '../../../testing/posting.ts'
import { control, eventually, mailTo } from '../../../testing/sandbox.ts'
import { tus, upload } from '../../../testing/uploads.ts'
import { closeAccount, purgeAccount, closeExpiredAccounts } from './purge.ts'

let app: TestApp
let system: System
let close: () => Promise<void>
beforeAll(async () => {
  app = await startTestApp()
  ;({ system, close } = await openSystem(app))
})
afterAll(async () => {
  await close?.()
  await app?.stop()
})

const days = (count: number) => count * 86_400_000
const rowOf = async (artist: Artist) => (await app.client.db.select().from(users).where(eq(users.id, artist.id)))[0]
const closeNow = async (artist: Artist) =>
  await retryOnDeadlock(system.db, async (tx) => await closeAccount(system, tx, ownerScope(artist.id)))
const waitForPurge = async (artist: Artist) =>
  await eventually('the account to be deleted', async () => (await rowOf(artist)) === undefined)

/** Logs in as the artist in another browser. */
async function logInAgain(artist: Artist) {
  const visitor = app.visitor()
  const answer = await visitor.post<{ deletesAt?: string; code?: string }>('/api/users/auth', {
    email: artist.email,
    password: testPassword,
  })
  return { visitor, answer }
}

describe('refusals', () => {
  test('a wrong name deletes nothing', async () => {
    const artist = await createArtist(app, { name: 'Mara Quill' })
    for (const name of ['', 'Mara', 'mara@studio.example']) {
      await expect(artist.trpc.auth.deleteAccount.mutate({ name })).rejects.toThrow(authMessages.nameDiffers)
    }
    expect(await artist.trpc.auth.me.query()).not.toHaveProperty('deletesAt')
  })

  test('the only admin cannot delete the account; one of two can', async () => {
    const admin = await createArtist(app, { admin: true })
    await expect(admin.trpc.auth.deleteAccount.mutate({ name: admin.name })).rejects.toThrow(authMessages.lastAdmin)
    const other = await createArtist(app, { admin: true })
    await admin.trpc.auth.deleteAccount.mutate({ name: admin.name })
    await expect(other.trpc.auth.deleteAccount.mutate({ name: other.name })).rejects.toThrow(authMessages.lastAdmin)
  })

  test('cannot be undone without a request, and once the purge has begun', async () => {
    const artist = await createArtist(app)
    await expect(artist.trpc.auth.keepAccount.mutate()).rejects.toThrow(authMessages.noDeletion)
    await artist.trpc.auth.deleteAccount.mutate({ name: artist.name })
    const { visitor } = await logInAgain(artist)
    await closeNow(artist)
    await expect(visitor.trpc.auth.keepAccount.mutate()).rejects.toMatchObject({ data: { httpStatus: 401 } })
    await waitForPurge(artist)
    // The purge may begin between the check of the session and the undoing.
    const other = await createArtist(app)
    await other.trpc.auth.deleteAccount.mutate({ name: other.name })
    const again = await logInAgain(other)
    await app.client.db.update(users).set({ purgingAt: app.clock.now() }).where(eq(users.id, other.id))
    await expect(again.visitor.trpc.auth.keepAccount.mutate()).rejects.toThrow(authMessages.noDeletion)
    await app.client.db.delete(users).where(eq(users.id, other.id))
  })
})

describe('the grace period', () => {
  test('the right name, with any spaces, ends every session and returns the date; a log-in offers only to undo it', async () => {
    const artist = await createArtist(app, { name: 'Noor  El-Haddad' })
    const { visitor: elsewhere } = await logInAgain(artist)
    const { deletesAt } = await artist.trpc.auth.deleteAccount.mutate({ name: ' noor el-haddad ' })
    expect(Date.parse(deletesAt) - app.clock.now().getTime()).toBeGreaterThan(days(graceDays) - 60_000)
    for (const visitor of [artist, elsewhere]) expect(await visitor.trpc.auth.me.query()).toBeNull()
    const mail = await mailTo(app, artist.email, /will be deleted/)
    expect(mail.links).toContain(`${app.url}/login`)

    const { visitor, answer } = await logInAgain(artist)
    expect(answer).toMatchObject({ status: 200, body: { deletesAt } })
    expect(await visitor.get('/api/media')).toMatchObject({
      status: 403,
      body: { code: 'leaving', message: errorMessages.leaving },
    })
    const before = visitor.cookies.get('flashsheet_session')
    expect(await visitor.trpc.auth.keepAccount.mutate()).not.toHaveProperty('deletesAt')
    expect(visitor.cookies.get('flashsheet_session')).not.toBe(before)
    expect((await visitor.get('/api/media')).status).toBe(200)
    await mailTo(app, artist.email, /Your account will not be deleted/)
  })

  // At every instant one of these zones has another day than UTC.
  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'the mail has the day of the deletion in the artist’s time zone: %s',
    async (timeZone) => {
      const artist = await createArtist(app, { timeZone })
      const { deletesAt } = await artist.trpc.auth.deleteAccount.mutate({ name: artist.name })
      const day = new Date(deletesAt).toLocaleDateString('en-US', { dateStyle: 'long', timeZone })
      expect((await mailTo(app, artist.email, /will be deleted/)).text).toContain(`It happens on ${day}:`)
    },
  )

  test('the page of the site ends with the account, although it is cached', async () => {
    const artist = await createArtist(app)
    const domainName = `gone-${artist.id.slice(-12)}`
    await artist.post('/api/websitebuilder', { personalInfo: { name: artist.name, domainName } })
    const read = async () => (await fetch(`${app.url}/s/${domainName}`)).status
    expect(await read()).toBe(200)
    await closeNow(artist)
    await waitForPurge(artist)
    await expect.poll(read).toBe(404)
  })

  test('two concurrent requests are one', async () => {
    const artist = await createArtist(app)
    const results = await Promise.allSettled(
      [1, 2, 3].map(async () => await artist.trpc.auth.deleteAccount.mutate({ name: artist.name })),
    )
    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    expect(await app.client.db.select().from(mails).where(eq(mails.to, artist.email))).toHaveLength(1)
  })

  test('payments end at once, scheduled posts are held, and after an undo they wait for a plan', async () => {
    const artist = await subscribedArtist(app, 'complete-shading')
    const { subscription } = await stripeIdsOf(app, artist)
    const account = await connect(app, artist, 'linkedin')
    await artist.post('/api/posts/schedule', {
      mediaIds: await uploadPictures(artist),
      variants: variantsOf(account),
      scheduledAt: new Date(app.clock.now().getTime() + days(40)).toISOString(),
    })
    await artist.trpc.auth.deleteAccount.mutate({ name: artist.name })
    const held = async () =>
      (
        await app.client.db
          .select({ held: postTargets.held })
          .from(postTargets)
          .where(eq(postTargets.userId, artist.id))
      ).map((row) => row.held)
    expect(await held()).toEqual([true])
    await eventually(
      'the end at Stripe',
      async () => (await stripeAt(app).subscriptions.retrieve(subscription)).status === 'canceled',
    )
    const { visitor } = await logInAgain(artist)
    await visitor.trpc.auth.keepAccount.mutate()
    expect(await held()).toEqual([true])
    // The event about the end may not have arrived yet.
    await eventually('the plan to end', async () => (await visitor.get('/api/media')).status === 403)
    await closeNow(artist)
    await waitForPurge(artist)
  })

  test('nothing is deleted a day before its end; afterwards everything is, and the artist is notified', async () => {
    const artist = await createArtist(app, { plan: null })
    await artist.trpc.auth.deleteAccount.mutate({ name: artist.name })
    app.clock.advance(days(graceDays - 1))
    await closeExpiredAccounts(system)
    expect((await rowOf(artist))?.purgingAt).toBeNull()
    app.clock.advance(days(1) + 1000)
    await closeExpiredAccounts(system)
    await waitForPurge(artist)
    await mailTo(app, artist.email, /was deleted/)
    expect((await logInAgain(artist)).answer.status).toBe(401)
    // The address is free again.
    expect(
      (
        await app
          .visitor()
          .post('/api/users', { name: 'Somebody', email: artist.email, password: 'a good long password' })
      ).status,
    ).toBe(201)
  })
})

describe('the purge', () => {
  test('does not begin for an account whose deletion is undone at the end of the grace period', async () => {
    const artist = await createArtist(app, { plan: null })
    await artist.trpc.auth.deleteAccount.mutate({ name: artist.name })
    app.clock.advance(days(graceDays) + 1000)
    const { visitor } = await logInAgain(artist)
    const client = connectTo(app.running.databaseUrl, 2)
    interceptStatements(client, async (statement, run) => {
      const result = await run()
      if (/deletion_asked_at" <=/.test(statement)) await visitor.trpc.auth.keepAccount.mutate()
      return result
    })
    try {
      await closeExpiredAccounts({ ...system, client, db: client.db })
    } finally {
      await client.close()
    }
    expect(await rowOf(artist)).toMatchObject({ deletionAskedAt: null, purgingAt: null, isActive: true })
  })

  test('begins for the other accounts when one cannot be closed, which is closed by the next run', async () => {
    const artists = [await createArtist(app, { plan: null }), await createArtist(app, { plan: null })]
    for (const artist of artists) await artist.trpc.auth.deleteAccount.mutate({ name: artist.name })
    app.clock.advance(days(graceDays) + 1000)
    const isClosed = async () => await Promise.all(artists.map(async (artist) => !(await rowOf(artist))?.isActive))
    const { hooks } = system
    let refused: string | undefined
    const failing: System['hooks'] = {
      ...hooks,
      run: async (name, at, tx, fact) => {
        if (name === 'accountClosing' && 'owner' in fact) refused ??= fact.owner
        if (refused !== undefined && 'owner' in fact && fact.owner === refused) throw new Error('refused for the test')
        await hooks.run(name, at, tx, fact)
      },
    }
    await expect(closeExpiredAccounts({ ...system, hooks: failing })).rejects.toThrow('could not be closed')
    expect(await isClosed()).toEqual(artists.map(({ id }) => id !== refused))
    await closeExpiredAccounts(system)
    expect(await isClosed()).toEqual([true, true])
  })

  test('waits until access to the networks is revoked, and until then a log-in is refused', async () => {
    const artist = await createArtist(app)
    await connect(app, artist, 'tiktok')
    await control(app, 'POST', '/faults', {
      service: 'tiktok',
      method: 'POST',
      path: 'oauth/revoke',
      kind: 'slow',
      delayMs: heldMs,
      times: 1,
    })
    await closeNow(artist)
    await expect(purgeAccount(system, { userId: artist.id })).rejects.toThrow(RetryLater)
    expect((await logInAgain(artist)).answer).toMatchObject({ status: 403, body: { code: 'deactivated' } })
    await control(app, 'DELETE', '/faults')
    await waitForPurge(artist)
    const requests = await control<{ path: string }[]>(app, 'GET', '/requests?service=tiktok')
    expect(requests.filter((one) => one.path.includes('oauth/revoke'))).toHaveLength(1)
  })

  test('whose job was lost is queued again by the sweep', async () => {
    const artist = await createArtist(app)
    const now = app.clock.now()
    await app.client.db
      .update(users)
      .set({ deletionAskedAt: now, purgingAt: now, isActive: false })
      .where(eq(users.id, artist.id))
    await closeExpiredAccounts(system)
    expect(await rowOf(artist)).toBeDefined()
    app.clock.advance(3_600_000)
    await closeExpiredAccounts(system)
    await waitForPurge(artist)
  })

  test('leaves no row and no file of the artist in any table: only orders, without their artist', async () => {
    const name = `Ines ${newId()}`
    const artist = await subscribedArtist(app, 'complete-shading')
    await artist.put('/api/users/profile', { _id: artist.id, name })
    await artist.trpc.notices.chooseMail.mutate({ kind: 'post_posted', mail: true })
    const account = await connect(app, artist, 'facebook')
    const [shown = '', dropped = '', galleried = '', ofDeletedPost = ''] = await uploadPictures(artist, 4)
    const posted = await postNow(artist, { mediaIds: [shown, dropped], variants: variantsOf(account) })
    await untilSettled(artist, posted)
    // The thumbnail of a deleted item stays while a post shows it.
    expect((await artist.delete('/api/media', { ids: [dropped] })).status).toBe(200)
    // This post is deleted after its media item and before the account.
    const deleted = await postNow(artist, {
      mediaIds: [ofDeletedPost],
      variants: variantsOf(account, { message: 'Gone soon' }),
    })
    await untilSettled(artist, deleted)
    expect((await artist.delete('/api/media', { ids: [ofDeletedPost] })).status).toBe(200)
    await artist.trpc.posts.remove.mutate({ postId: deleted })
    const video = await upload(artist, {
      name: 'healed.mp4',
      type: 'video/mp4',
      bytes: videoFixture('portrait-5s.mp4'),
    })
    for (const shade of [5, 6]) {
      const poster = {
        method: 'POST',
        body: Uint8Array.from(await picture(200, 300, shade)),
        headers: { 'content-type': 'image/jpeg' },
      }
      expect((await artist.fetch(`${video.location}/poster`, poster)).status).toBe(204)
    }
    await artist.post('/api/posts/schedule', {
      mediaIds: [shown],
      variants: variantsOf(account),
      scheduledAt: new Date(app.clock.now().getTime() + days(50)).toISOString(),
    })
    expect((await artist.post('/api/drafts', { mediaIds: [shown], variants: variantsOf(account) })).status).toBe(201)
    await artist.post('/api/websitebuilder/gallery', { ids: [galleried] })
    const form = new FormData()
    form.append('file', new File([Uint8Array.from(await picture(300, 300, 7))], 'logo.jpg', { type: 'image/jpeg' }))
    const logo = (await (await artist.fetch('/api/websitebuilder/image', { method: 'POST', body: form })).json()) as {
      url: string
    }
    const domainName = `ines-${newId().slice(-8)}`
    const site = {
      personalInfo: { name, shopName: '', domainName, about: '', email: '', phone: '' },
      images: { logoImage: logo, backgroundImage: null, profileImage: null },
    }
    expect((await artist.post('/api/websitebuilder', site)).status).toBe(200)
    const date = new Date(app.clock.now().getTime() + days(14)).toISOString().slice(0, 10)
    const contact = { email: 'client@home.example' }
    expect(
      (
        await artist.post('/api/appointments', {
          domainName,
          bookingType: '1 Hour Booking',
          timeSlot: '1:00pm-2:00pm',
          date,
          contact,
        })
      ).status,
    ).toBe(201)
    expect((await fetch(`${app.url}/s/${domainName}`)).status).toBe(200)
    await tus.create(artist, { name: 'half.jpg', type: 'image/jpeg', bytes: 1000 })
    await artist.fetch('/api/social-connect/tiktok')
    const later = new Date(app.clock.now().getTime() + days(1))
    await app.client.db
      .insert(userIdentities)
      .values({ provider: 'google', subject: newId(), userId: artist.id, email: artist.email, createdAt: later })
    await app.client.db
      .insert(linkTokens)
      .values({ hash: newId(), purpose: 'reset_password', userId: artist.id, email: artist.email, expiresAt: later })
    await app.client.db.insert(linkRequests).values({
      id: newId(),
      purpose: 'change_email',
      email: 'new@studio.example',
      userId: artist.id,
      createdAt: later,
    })
    await app.client.db
      .insert(rateLimits)
      .values({ key: `failedLoginsPerAddress:${artist.email}`, windowStartedAt: later, count: 3 })

    const before = await ownedRowsOf(app.client, artist.id)
    const { customer } = await stripeIdsOf(app, artist)
    // Makes sure that the test has rows in these tables to delete.
    const usual = [
      'appointments',
      'gallery_items',
      'link_tokens',
      'mails',
      'media_items',
      'notice_mails',
      'notices',
      'oauth_states',
      'post_media',
      'post_targets',
      'posts',
      'publish_attempts',
    ]
    for (const table of [
      ...usual,
      'sessions',
      'site_images',
      'sites',
      'social_accounts',
      'social_pages',
      'subscription_orders',
      'subscriptions',
      'uploads',
      'user_identities',
    ]) {
      expect(before.get(table)?.length ?? 0, table).toBeGreaterThan(0)
    }
    // One of each kind of file.
    const patterns = [
      /original$/,
      /display\.jpg$/,
      /thumbnail-.+\.webp$/,
      /gallery\/.+\/\d+\.(webp|jpg)$/,
      /site-images\/.+\.webp$/,
      /uploads\/[^.]+$/,
      /uploads\/.+\.json$/,
    ]
    await eventually('files of every kind', async () =>
      patterns.every((pattern) => filesLeft().some((file) => pattern.test(file))),
    )
    expect(
      filesLeft().filter((file) => file.includes(video.headers.get('media-id') ?? 'none') && /thumbnail/.test(file))
        .length,
    ).toBeGreaterThan(1)

    await artist.trpc.auth.deleteAccount.mutate({ name })
    await closeNow(artist)
    await waitForPurge(artist)
    expect(Object.keys(await countRemaining(app.client, before)).filter((table) => !outlives.has(table))).toEqual([])
    expect(await tablesContaining(app.client, [artist.id, artist.email, name, contact.email, domainName])).toEqual([])
    const orders = await app.client.db
      .select()
      .from(subscriptionOrders)
      .where(eq(subscriptionOrders.stripeCustomerId, customer))
    expect(orders.length).toBeGreaterThan(0)
    expect(orders.every((order) => order.userId === null)).toBe(true)
    expect(
      (
        await app.client.db
          .select()
          .from(subscriptions)
          .where(inArray(subscriptions.stripeCustomerId, [customer]))
      )[0]?.userId,
    ).toBeNull()
    await expect.poll(filesLeft, { timeout: 15_000 }).toEqual([])
    // The site is cached by the process that serves it.
    await eventually(
      'the site to be unavailable',
      async () => (await fetch(`${app.url}/s/${domainName}`)).status === 404,
    )
  })

  test('reaches every table that references an artist, future ones included', async () => {
    const references = await listReferences(app.client)
    const cleared = new Set(['users'])
    const refers = new Set(['users'])
    for (let grown = true; grown;) {
      grown = false
      for (const { child, parent, onDelete } of references) {
        if (refers.has(parent) && !refers.has(child)) grown = Boolean(refers.add(child))
        if (cleared.has(parent) && onDelete === 'cascade' && !cleared.has(child)) grown = Boolean(cleared.add(child))
      }
    }
    const forgotten = [...refers].filter((table) => !cleared.has(table) && !outlives.has(table))
    expect(
      forgotten,
      'these refer to an artist, but do not go with one: ON DELETE CASCADE, or add them below and say why they outlive them',
    ).toEqual([])
    // Without an action the constraint is checked at the end of the statement: if both rows are deleted with the
    // artist, it holds by then.
    const stops = references.filter(
      (one) =>
        refers.has(one.parent) &&
        (one.onDelete === 'restrict' || (one.onDelete === 'no action' && !cleared.has(one.child))),
    )
    expect(stops, 'these would stop a purge').toEqual([])

    const known = new Set(
      references
        .filter((one) => refers.has(one.parent))
        .flatMap((one) => one.columns.map((column) => `${one.child}.${column}`)),
    )
    const unknown = (await listArtistColumns(app.client))
      .map(({ table, column }) => `${table}.${column}`)
      .filter((one) => !known.has(one))
    // A request may have the id of a user that was never created; `deleteUser` deletes these explicitly.
    expect(unknown, 'these hold an artist without a foreign key').toEqual(['link_requests.user_id'])
    expect(await listTables(app.client)).toEqual(expect.arrayContaining([...refers]))
  })
})

/** Rows that stay without an owner: payments, and the daily use of a network's allowance. */
const outlives = new Set(['mrr_movements', 'quota_uses', 'subscription_orders', 'subscriptions'])

/** Stored files, except the publish progress, which belongs to no artist. */
function filesLeft(): string[] {
  const folder = path.join(app.dataDir, 'storage')
  const files = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? path.join(entry.parentPath, entry.name) : []))
  return files.filter((file) => !file.startsWith(path.join(folder, 'publish-progress') + path.sep))
}
