import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connectByConsent } from '../../testing/oauth-assistant.ts'
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

test('a new password leaves assistants connected, and the mail about it says so', async () => {
  const { client } = await connectByConsent(app, artist)
  const change = { _id: artist.id, password: 'another password', currentPassword: artist.password }
  expect((await artist.put('/api/users/profile', change)).status).toBe(200)
  expect((await client.listTools()).tools).not.toEqual([])
  const { text, links } = await mailTo(app, artist.email, /password was changed/)
  expect(text).toContain('API keys and connected assistants, if you have any, go on working.')
  expect(links).toContain(`${app.url}/settings/developers`)
})
