import { usualAssistantScopes } from '@flashsheet/contracts/assistants/limits'
import { assistantMessages } from '@flashsheet/contracts/assistants/messages'
import { scopeLabels } from '@flashsheet/contracts/keys/messages'
import { noticeMessages } from '@flashsheet/contracts/notices/messages'
import { mails } from '@flashsheet/db/schema/outbox'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connectByConsent, registerProgram } from '../../testing/oauth-assistant.ts'
import { mailTo } from '../../testing/sandbox.ts'

let app: TestApp
let artist: Artist
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())
beforeEach(async () => {
  artist = await createArtist(app)
})

test('the artist is mailed when an assistant is connected, with its permissions and where to disconnect it', async () => {
  await connectByConsent(app, artist)
  const { subject, text, links } = await mailTo(app, artist.email)
  expect(subject).toBe('An assistant was connected to your account')
  for (const words of ['Quill', 'localhost:33418', ...usualAssistantScopes.map((scope) => scopeLabels[scope])])
    expect(text).toContain(words)
  expect(links).toContain(`${app.url}/settings/developers`)
})

test('the bell shows a connected assistant, with its permissions and a link to disconnect it', async () => {
  await connectByConsent(app, artist)
  const { unread, notices } = await artist.trpc.notices.list.query()
  expect({ unread, notices }).toMatchObject({
    unread: 1,
    notices: [
      {
        kind: 'assistant_connected',
        title: assistantMessages.connectedTitle,
        link: '/settings/developers',
        action: assistantMessages.connectedAction,
      },
    ],
  })
  for (const words of ['Quill', 'localhost:33418', ...usualAssistantScopes.map((scope) => scopeLabels[scope])])
    expect(notices[0]?.text).toContain(words)
  const other = await createArtist(app)
  expect((await other.trpc.notices.list.query()).notices).toEqual([])
})

test('the mail about a connected assistant cannot be switched off', async () => {
  const off = { kind: 'assistant_connected' as const, mail: false }
  await expect(artist.trpc.notices.chooseMail.mutate(off)).rejects.toThrow(noticeMessages.unswitchable)
  expect((await artist.trpc.notices.mails.query()).assistant_connected).toBe(true)
})

test('a connection is notified once, not for new tokens and not for a code that is used again', async () => {
  const count = async () => {
    const sent = await app.client.db.select().from(mails).where(eq(mails.to, artist.email))
    const { notices } = await artist.trpc.notices.list.query()
    return [sent.length, notices.length]
  }
  const program = await registerProgram(app.visitor())
  const code = await program.consent(artist)
  expect((await program.exchange(code, { code_verifier: 'x'.repeat(43) })).status).toBe(400)
  expect(await count()).toEqual([0, 0])
  const next = await program.consent(artist)
  const { body } = await program.exchange(next)
  expect((await program.refresh(body['refresh_token'] ?? '')).status).toBe(200)
  expect((await program.exchange(next)).status).toBe(400)
  expect(await count()).toEqual([1, 1])
})

test('a new password does not disconnect assistants, and the mail about it says so', async () => {
  const { client } = await connectByConsent(app, artist)
  const change = { _id: artist.id, password: 'another password', currentPassword: artist.password }
  expect((await artist.put('/api/users/profile', change)).status).toBe(200)
  expect((await client.listTools()).tools).not.toEqual([])
  const { text, links } = await mailTo(app, artist.email, /password was changed/)
  expect(text).toContain('API keys and connected assistants, if you have any, go on working.')
  expect(links).toContain(`${app.url}/settings/developers`)
})
