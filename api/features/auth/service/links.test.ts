import { linkRequests, linkTokens, signInStates } from '@flashsheet/db/schema/auth'
import { mails } from '@flashsheet/db/schema/outbox'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../../core/log.ts'
import { newId } from '../../../core/ids.ts'
import { createArtist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { startSystem } from '../../../wiring.ts'
import { mailRequestedLink } from './links.ts'
import { cleanUpAuth } from './clean-up.ts'

let app: TestApp
let quiet: Awaited<ReturnType<typeof startSystem>>
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
  quiet = await startSystem(app.running.config, {
    databaseUrl: app.running.databaseUrl,
    log: createLogger('silent'),
    works: false,
    now: app.clock.now,
  })
})
afterAll(async () => {
  await quiet.stop(0)
  await app.stop()
})

const subjectsTo = async (to: string) =>
  (await app.client.db.select({ subject: mails.subject }).from(mails).where(eq(mails.to, to))).map(
    (mail) => mail.subject,
  )

async function ask(
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
  const id = await ask('reset_password', artist.email)
  await Promise.all(Array.from({ length: 5 }, async () => await mailRequestedLink(quiet.system, id)))
  await mailRequestedLink(quiet.system, id)
  expect(await subjectsTo(artist.email)).toEqual(['Reset your password'])
  expect(await app.client.db.select().from(linkTokens).where(eq(linkTokens.userId, artist.id))).toHaveLength(1)
})

test('nothing is mailed without an account, to a verified one, or for a withdrawn change of address', async () => {
  const artist = await createArtist(app)
  const nobody = 'nobody-here@studio.example'
  await mailRequestedLink(quiet.system, await ask('reset_password', nobody))
  await mailRequestedLink(quiet.system, await ask('verify_email', nobody))
  await mailRequestedLink(quiet.system, await ask('verify_email', artist.email))
  await mailRequestedLink(quiet.system, await ask('change_email', nobody, artist.id))
  await mailRequestedLink(quiet.system, await ask('change_email', nobody, newId()))
  expect([...(await subjectsTo(nobody)), ...(await subjectsTo(artist.email))]).toEqual([])
})

test('deletes expired links and keeps valid ones', async () => {
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
  await db.insert(linkTokens).values([token('old', at(-25)), token('just ended', at(-1)), token('living', at(1))])
  await db.insert(signInStates).values([state('ended', at(-1)), state('under way', at(1))])
  const forgotten = await ask('reset_password', artist.email)
  await db
    .update(linkRequests)
    .set({ createdAt: at(-25) })
    .where(eq(linkRequests.id, forgotten))
  const waiting = await ask('reset_password', artist.email)
  await cleanUpAuth(quiet.system)
  const left = await db
    .select({ hash: linkTokens.hash })
    .from(linkTokens)
    .where(eq(linkTokens.userId, artist.id))
    .orderBy(linkTokens.hash)
  expect(left.map((one) => one.hash)).toEqual(['just ended', 'living'])
  expect((await db.select({ hash: signInStates.hash }).from(signInStates)).map((one) => one.hash)).toEqual([
    'under way',
  ])
  expect(
    (await db.select({ id: linkRequests.id }).from(linkRequests).where(eq(linkRequests.email, artist.email))).map(
      (one) => one.id,
    ),
  ).toEqual([waiting])
})

test('a link whose job was lost is queued once more', async () => {
  const artist = await createArtist(app)
  const lost = await ask('reset_password', artist.email)
  await app.client.db
    .update(linkRequests)
    .set({ createdAt: new Date(app.clock.now().getTime() - 2 * 3_600_000) })
    .where(eq(linkRequests.id, lost))
  const fresh = await ask('reset_password', artist.email)
  await cleanUpAuth(quiet.system)
  const waiting = [
    ...(await app.client
      .sql`select data->>'requestId' as id from pgboss.job where name = 'auth.link' and data->>'requestId' in (${lost}, ${fresh})`),
  ]
  expect(waiting.map((job) => String(job['id']))).toEqual([lost])
})
