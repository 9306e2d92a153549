import { mails } from '@flashsheet/db/schema/outbox'
import { insertMail, listUnsentMails } from '@flashsheet/db/outbox'
import { and, eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { control, eventually, type SandboxMail } from '../testing/sandbox.ts'
import { openSystem } from '../testing/system.ts'
import { newId } from './ids.ts'
import { RetryLater } from './jobs.ts'
import { retryStuckMails, queueMail, sendStoredMail } from './mail.ts'

let app: TestApp
let other: Awaited<ReturnType<typeof openSystem>>
beforeAll(async () => {
  app = await startTestApp()
  other = await openSystem(app)
})
afterAll(async () => {
  await other?.close()
  await app?.stop()
})

const to = 'ida@home.example'

test('sends a stored mail once, however often its job runs', async () => {
  const { system } = other
  await system.db.transaction(
    async (tx) =>
      await queueMail(
        system,
        tx,
        { to, owner: null },
        { subject: 'Your time', greeting: 'Hello Ida,', paragraphs: ['Tuesday at ten.'], reason: 'You booked.' },
      ),
  )
  const stored = await eventually(
    'the mail to be on record as sent',
    async () =>
      (
        await app.client.db
          .select({ id: mails.id })
          .from(mails)
          .where(and(eq(mails.to, to), isNotNull(mails.sentAt)))
      )[0],
  )
  for (let run = 0; run < 3; run++) await sendStoredMail(system, stored.id)
  expect(await control<SandboxMail[]>(app, 'GET', `/mail?to=${to}`)).toMatchObject([
    { subject: 'Your time', text: expect.stringContaining('Tuesday at ten.') },
  ])
})

const hours = (count: number) => count * 3_600_000
/** Stores a mail of this age without a job. */
async function storeMail(address: string, ageMs: number, sent = false): Promise<string> {
  const id = newId()
  const createdAt = new Date(app.clock.now().getTime() - ageMs)
  await insertMail(app.client.db, {
    id,
    userId: null,
    to: address,
    subject: 'Your reset',
    text: 'See http://localhost/reset?token=abc',
    html: '<p>See</p>',
    calendar: null,
    replyTo: null,
    createdAt,
  })
  if (sent) await app.client.db.update(mails).set({ sentAt: createdAt }).where(eq(mails.id, id))
  return id
}
const arrived = async (address: string) => await control<SandboxMail[]>(app, 'GET', `/mail?to=${address}`)

test('deletes the text and links of a sent mail', async () => {
  const id = await storeMail('gone@home.example', 0)
  await sendStoredMail(other.system, id)
  const [row] = await app.client.db.select().from(mails).where(eq(mails.id, id))
  expect(row).toMatchObject({
    to: 'gone@home.example',
    subject: 'Your reset',
    text: '',
    html: '',
    calendar: null,
    replyTo: null,
    sentAt: expect.any(Date) as Date,
  })
  expect((await arrived('gone@home.example'))[0]?.text).toContain('token=abc')
})

test('sends a mail once when two workers try, and retries the other job later', async () => {
  const id = await storeMail('twice@home.example', 0)
  const gate = Promise.withResolvers<void>()
  const slow = {
    ...other.system,
    gateways: {
      ...other.system.gateways,
      mail: { ...other.system.gateways.mail, send: async () => await gate.promise },
    },
  }
  const first = sendStoredMail(slow, id)
  await eventually(
    'the first to have it',
    async () =>
      (await app.client.db.select({ until: mails.tryingUntil }).from(mails).where(eq(mails.id, id)))[0]?.until,
  )
  await expect(sendStoredMail(other.system, id)).rejects.toThrow(RetryLater)
  gate.resolve()
  await first
  await sendStoredMail(other.system, id)
  expect(await arrived('twice@home.example')).toEqual([])
})

const refuse = async (id: string) => {
  const { gateways } = other.system
  const mail = { ...gateways.mail, send: async () => await Promise.reject(new Error('421 try later')) }
  await expect(sendStoredMail({ ...other.system, gateways: { ...gateways, mail } }, id)).rejects.toThrow('421')
}

test('a mail that the server refused can be retried at once', async () => {
  const id = await storeMail('refused@home.example', 0)
  await refuse(id)
  await sendStoredMail(other.system, id)
  expect(await arrived('refused@home.example')).toHaveLength(1)
})

test('mails that the server keeps refusing do not keep newer ones from being retried', async () => {
  const [oldest, older, newer] = [
    await storeMail('oldest@home.example', hours(71)),
    await storeMail('older@home.example', hours(70)),
    await storeMail('newer@home.example', hours(69)),
  ]
  const now = app.clock.now().getTime()
  const span = { from: new Date(now - hours(72)), to: new Date(now - hours(68)) }
  expect(await listUnsentMails(app.client.db, span, 2)).toEqual([oldest, older])
  await refuse(oldest)
  app.clock.advance(1000)
  await refuse(older)
  expect(await listUnsentMails(app.client.db, span, 2)).toEqual([newer, oldest])
  for (const id of [oldest, older, newer]) await sendStoredMail(other.system, id)
})

test('the hourly run retries a mail whose job gave up for three days, and deletes mails after thirty', async () => {
  const [fresh, lost, late, old, oldSent] = [
    await storeMail('fresh@home.example', hours(0.5)),
    await storeMail('lost@home.example', hours(70)),
    await storeMail('late@home.example', hours(73)),
    await storeMail('old@home.example', hours(721)),
    await storeMail('old@home.example', hours(721), true),
  ]
  const sent = await storeMail('sent@home.example', hours(70), true)
  await retryStuckMails(other.system)
  await retryStuckMails(other.system)
  expect(await app.client.sql`select 1 from pgboss.job where data->>'mailId' = ${sent}`).toEqual([])
  await eventually('the lost one', async () => (await arrived('lost@home.example')).length > 0)
  await eventually(
    'its mark',
    async () => (await app.client.db.select({ sentAt: mails.sentAt }).from(mails).where(eq(mails.id, lost)))[0]?.sentAt,
  )
  const kept = new Set((await app.client.db.select({ id: mails.id }).from(mails)).map((row) => row.id))
  expect([fresh, lost, late, old, oldSent].map((id) => kept.has(id))).toEqual([true, true, true, false, false])
  expect(
    [await arrived('fresh@home.example'), await arrived('lost@home.example'), await arrived('late@home.example')].map(
      (sent) => sent.length,
    ),
  ).toEqual([0, 1, 0])
})
