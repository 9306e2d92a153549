import { mails } from '@flashsheet/db/schema/outbox'
import { and, eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { control, eventually, type SandboxMail } from '../testing/sandbox.ts'
import { openSystem } from '../testing/system.ts'
import { queueMail, sendStoredMail } from './mail.ts'

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

test('a stored mail goes out once, however often its job runs', async () => {
  const { system } = other
  await system.db.transaction(async (tx) => await queueMail(system, tx, { to, owner: null }, { subject: 'Your time', greeting: 'Hello Ida,', paragraphs: ['Tuesday at ten.'], reason: 'You booked.' }))
  const stored = await eventually('the mail to be on record as sent', async () => (await app.client.db.select({ id: mails.id }).from(mails).where(and(eq(mails.to, to), isNotNull(mails.sentAt))))[0])
  for (let run = 0; run < 3; run++) await sendStoredMail(system, stored.id)
  expect(await control<SandboxMail[]>(app, 'GET', `/mail?to=${to}`)).toMatchObject([{ subject: 'Your time', text: expect.stringContaining('Tuesday at ten.') }])
})
