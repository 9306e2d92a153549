import { mails } from '@flashsheet/db/schema/outbox'
import { insertMail, listUnsentMails } from '@flashsheet/db/outbox'
import { and, eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { connectFailing } from '../testing/failing-database.ts'
import { control, eventually, type SandboxMail } from '../testing/sandbox.ts'
import { openSystem } from '../testing/system.ts'
import { newId } from './ids.ts'
import { RetryLater } from './jobs.ts'
import { retryStoredMail, retryStuckMails, queueMail, sendStoredMail } from './mail.ts'

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
async function storeMail(address: string, ageMs: number, sent = false, about: string | null = null): Promise<string> {
  const id = newId()
  const createdAt = new Date(app.clock.now().getTime() - ageMs)
  await insertMail(app.client.db, {
    id,
    userId: null,
    to: address,
    subject: 'Your reset',
    text: 'See http://localhost/reset?token=abc',
    html: '<p>See</p>',
    calendar: 'METHOD:REQUEST',
    replyTo: 'mara@studio.example',
    about,
    createdAt,
  })
  if (sent) await app.client.db.update(mails).set({ sentAt: createdAt }).where(eq(mails.id, id))
  return id
}
const arrived = async (address: string) => await control<SandboxMail[]>(app, 'GET', `/mail?to=${address}`)

test('a mail that was sent is not sent again, although the database failed before that was stored', async () => {
  const id = await storeMail('once@home.example', 0)
  let failures = 2
  const failing = connectFailing(app.running.databaseUrl, (statement) =>
    statement.includes('"sent_at" = $') && failures-- > 0 ? 'before' : undefined,
  )
  try {
    await sendStoredMail({ ...other.system, db: failing.db }, id)
  } finally {
    await failing.close()
  }
  await sendStoredMail(other.system, id)
  expect(failures).toBe(-1)
  expect(await arrived('once@home.example')).toHaveLength(1)
})

describe('mails to one address about the same thing are sent in order', () => {
  const client = 'client@order.example'
  const storeThree = async (about: string) => [
    await storeMail(client, hours(3), false, about),
    await storeMail(client, hours(2), false, about),
    await storeMail(client, hours(1), false, about),
  ]
  /** The order in which mails were sent, if the server answers the mail `refused` with an error. */
  const sentBy = (refused?: { id: string | undefined; responseCode: number }) => {
    const sent: string[] = []
    const { gateways } = other.system
    const send = async ({ messageId: id }: { messageId: string }) => {
      if (id === refused?.id)
        await Promise.reject(Object.assign(new Error('no'), { responseCode: refused.responseCode }))
      sent.push(id)
    }
    return { sent, system: { ...other.system, gateways: { ...gateways, mail: { ...gateways.mail, send } } } }
  }

  test('none before an earlier one that the server refused for now', async () => {
    const [first, second, third] = await storeThree('booking 1')
    const { sent, system } = sentBy({ id: second, responseCode: 451 })
    await expect(sendStoredMail(system, third ?? '')).rejects.toThrow('no')
    expect(sent).toEqual([first])
    const retried = sentBy()
    await sendStoredMail(retried.system, third ?? '')
    expect(retried.sent).toEqual([second, third])
  })

  test('none before an earlier one that another process is sending', async () => {
    const [first, second] = await storeThree('booking 2')
    await app.client.db
      .update(mails)
      .set({ tryingUntil: new Date(app.clock.now().getTime() + 60_000) })
      .where(eq(mails.id, first ?? ''))
    const { sent, system } = sentBy()
    await expect(sendStoredMail(system, second ?? '')).rejects.toThrow(RetryLater)
    expect(sent).toEqual([])
  })

  test('of two that were stored in the same instant, the one with the lower id first', async () => {
    const [first, second] = [
      await storeMail(client, hours(1), false, 'booking 6'),
      await storeMail(client, hours(1), false, 'booking 6'),
    ]
    await app.client.db.update(mails).set({ createdAt: app.clock.now() }).where(eq(mails.about, 'booking 6'))
    const { sent, system } = sentBy()
    await sendStoredMail(system, second)
    expect(sent).toEqual([first, second])
  })

  test('also after an earlier one that the server refused for good, or that was given up', async () => {
    const [first, second, third] = await storeThree('booking 3')
    await storeMail(client, hours(73), false, 'booking 3')
    const { sent, system } = sentBy({ id: second, responseCode: 550 })
    await sendStoredMail(system, third ?? '')
    expect(sent).toEqual([first, third])
  })

  test('without waiting for mails to others, about others, or about nothing', async () => {
    for (const [to, about] of [
      ['artist@order.example', 'booking 4'],
      [client, 'booking 5'],
      [client, null],
    ] as const)
      await storeMail(to, hours(4), false, about)
    const [first] = await storeThree('booking 4')
    const { sent, system } = sentBy()
    await sendStoredMail(system, first ?? '')
    await sendStoredMail(system, await storeMail(client, 0))
    expect(sent).toEqual([first, expect.any(String)])
  })
})

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

test('a mail that takes minutes to send is not sent by another worker meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const id = await storeMail('minutes@home.example', 0)
  const gate = Promise.withResolvers<void>()
  const { gateways } = other.system
  const mail = { ...gateways.mail, send: async () => await gate.promise }
  const first = sendStoredMail({ ...other.system, gateways: { ...gateways, mail } }, id)
  const triedUntil = async () =>
    (await app.client.db.select({ until: mails.tryingUntil }).from(mails).where(eq(mails.id, id)))[0]?.until?.getTime()
  await eventually('the first to have it', triedUntil)
  for (let minute = 0; minute < 10; minute += 1) {
    const before = await triedUntil()
    app.clock.advance(60_000)
    vi.advanceTimersByTime(60_000)
    await eventually('the claim to be renewed', async () => (await triedUntil()) !== before)
  }
  await expect(sendStoredMail(other.system, id)).rejects.toThrow(RetryLater)
  gate.resolve()
  await first
  expect(await arrived('minutes@home.example')).toEqual([])
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

test('a retry fails if the server is unavailable, and not if it refuses the mail itself', async () => {
  const id = await storeMail('unknown@home.example', 0)
  const { gateways } = other.system
  const answering = (responseCode: number) => {
    const send = async () => await Promise.reject(Object.assign(new Error(`${responseCode} no`), { responseCode }))
    return { ...other.system, gateways: { ...gateways, mail: { ...gateways.mail, send } } }
  }
  await expect(retryStoredMail(answering(421), id)).rejects.toThrow('421')
  await retryStoredMail(answering(550), id)
  await retryStoredMail(other.system, id)
  expect(await arrived('unknown@home.example')).toHaveLength(1)
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
