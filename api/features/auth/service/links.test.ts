import { linkRequests, linkTokens, signInStates, users } from '@flashsheet/db/schema/auth'
import { mails } from '@flashsheet/db/schema/outbox'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendStoredMail } from '../../../core/mail.ts'
import { createLogger } from '../../../core/log.ts'
import { newId } from '../../../core/ids.ts'
import { createArtist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { startSystem } from '../../../wiring.ts'
import { mailRequestedLink } from './links.ts'
import { cleanUpAuth } from './clean-up.ts'

let app: TestApp
let withoutWorker: Awaited<ReturnType<typeof startSystem>>
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
  withoutWorker = await startSystem(app.running.config, {
    databaseUrl: app.running.databaseUrl,
    log: createLogger('silent'),
    isWorker: false,
    now: app.clock.now,
  })
})
afterAll(async () => {
  await withoutWorker.stop(0)
  await app.stop()
})

const subjectsTo = async (to: string) =>
  (await app.client.db.select({ subject: mails.subject }).from(mails).where(eq(mails.to, to))).map(
    (mail) => mail.subject,
  )

async function insertRequest(
  purpose: (typeof linkRequests.$inferSelect)['purpose'],
  email: string,
  userId: string | null = null,
): Promise<string> {
  const id = newId()
  await app.client.db.insert(linkRequests).values({ id, purpose, email, userId, createdAt: app.clock.now() })
  return id
}

test('a request is processed once, however often and concurrently its job runs', async () => {
  const artist = await createArtist(app)
  const id = await insertRequest('reset_password', artist.email)
  await Promise.all(
    Array.from({ length: 5 }, async () => await mailRequestedLink(withoutWorker.system, { requestId: id })),
  )
  await mailRequestedLink(withoutWorker.system, { requestId: id })
  expect(await subjectsTo(artist.email)).toEqual(['Reset your password'])
  expect(await app.client.db.select().from(linkTokens).where(eq(linkTokens.userId, artist.id))).toHaveLength(1)
})

test.each(['verify_email', 'reset_password'] as const)(
  'of two links (%s) that the mail server deferred the newer one arrives last',
  async (purpose) => {
    const { email } = await createArtist(app, { verified: purpose === 'reset_password' })
    for (let count = 0; count < 2; count++) {
      app.clock.advance(60_000)
      await mailRequestedLink(withoutWorker.system, { requestId: await insertRequest(purpose, email) })
    }
    const stored = await app.client.db.select().from(mails).where(eq(mails.to, email)).orderBy(mails.createdAt)
    const sent: (string | undefined)[] = []
    const { gateways } = withoutWorker.system
    const send = async ({ messageId }: { messageId: string }) => void (await Promise.resolve(sent.push(messageId)))
    const system = { ...withoutWorker.system, gateways: { ...gateways, mail: { ...gateways.mail, send } } }
    for (const { id } of stored.toReversed()) await sendStoredMail(system, id)
    expect(sent.slice(-2)).toEqual(stored.map(({ id }) => id).slice(-2))
  },
)

test('no link is mailed without an account, to a verified one, or for a withdrawn change of address', async () => {
  const artist = await createArtist(app)
  const nobody = 'nobody-here@studio.example'
  await mailRequestedLink(withoutWorker.system, { requestId: await insertRequest('reset_password', nobody) })
  await mailRequestedLink(withoutWorker.system, { requestId: await insertRequest('verify_email', nobody) })
  await mailRequestedLink(withoutWorker.system, { requestId: await insertRequest('verify_email', artist.email) })
  await mailRequestedLink(withoutWorker.system, { requestId: await insertRequest('change_email', nobody, artist.id) })
  await mailRequestedLink(withoutWorker.system, { requestId: await insertRequest('change_email', nobody, newId()) })
  expect([...(await subjectsTo(nobody)), ...(await subjectsTo(artist.email))]).toEqual([])
  // Nor to a user whose address has changed since.
  const moved = await createArtist(app, { verified: false, plan: null })
  await mailRequestedLink(withoutWorker.system, { requestId: await insertRequest('verify_email', nobody, moved.id) })
  expect(await subjectsTo(moved.email)).toEqual([])
})

test('whoever registers an address that staff gave to an account is notified of the account, since the link would be refused', async () => {
  const artist = await createArtist(app)
  await app.client.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, artist.id))
  await app.visitor().post('/api/users', { name: 'Mara Quill', email: artist.email, password: 'a good password' })
  const [request] = await app.client.db.select().from(linkRequests).where(eq(linkRequests.email, artist.email))
  await mailRequestedLink(withoutWorker.system, { requestId: request?.id ?? '' })
  expect(await subjectsTo(artist.email)).toEqual(['You already have a Flashsheet account'])
  // Another link is that of the account, also when the browser of the registration asks for it.
  const again = await insertRequest('verify_email', artist.email, request?.userId ?? null)
  await mailRequestedLink(withoutWorker.system, { requestId: again })
  const links = await app.client.db.select().from(linkTokens).where(eq(linkTokens.email, artist.email))
  expect(links).toMatchObject([{ userId: artist.id, purpose: 'verify_email' }])
})

test('links are deleted a day after they expire, sign-ins at once', async () => {
  const artist = await createArtist(app)
  const { db } = app.client
  const at = (hours: number) => new Date(app.clock.now().getTime() + hours * 3_600_000)
  const token = (hash: string, expiresAt: Date) => ({
    hash,
    purpose: 'reset_password' as const,
    userId: artist.id,
    email: artist.email,
    expiresAt,
  })
  const state = (hash: string, expiresAt: Date) => ({ hash, browser: 'b', nonce: 'n', codeVerifier: 'v', expiresAt })
  await db
    .insert(linkTokens)
    .values([token('expired yesterday', at(-25)), token('just expired', at(-1)), token('valid', at(1))])
  await db.insert(signInStates).values([state('expired', at(-1)), state('valid', at(1))])
  const expired = await insertRequest('reset_password', artist.email)
  await db
    .update(linkRequests)
    .set({ createdAt: at(-25) })
    .where(eq(linkRequests.id, expired))
  const waiting = await insertRequest('reset_password', artist.email)
  await cleanUpAuth(withoutWorker.system)
  const remaining = await db
    .select({ hash: linkTokens.hash })
    .from(linkTokens)
    .where(eq(linkTokens.userId, artist.id))
    .orderBy(linkTokens.hash)
  expect(remaining.map((one) => one.hash)).toEqual(['just expired', 'valid'])
  expect((await db.select({ hash: signInStates.hash }).from(signInStates)).map((one) => one.hash)).toEqual(['valid'])
  expect(
    (await db.select({ id: linkRequests.id }).from(linkRequests).where(eq(linkRequests.email, artist.email))).map(
      (one) => one.id,
    ),
  ).toEqual([waiting])
})

test('a link whose job was lost is queued once more', async () => {
  const artist = await createArtist(app)
  const lost = await insertRequest('reset_password', artist.email)
  await app.client.db
    .update(linkRequests)
    .set({ createdAt: new Date(app.clock.now().getTime() - 2 * 3_600_000) })
    .where(eq(linkRequests.id, lost))
  const fresh = await insertRequest('reset_password', artist.email)
  await cleanUpAuth(withoutWorker.system)
  const waiting = [
    ...(await app.client
      .sql`select data->>'requestId' as id from pgboss.job where name = 'auth.link' and data->>'requestId' in (${lost}, ${fresh})`),
  ]
  expect(waiting.map((job) => String(job['id']))).toEqual([lost])
})
