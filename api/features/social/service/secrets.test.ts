import { platforms } from '@flashsheet/contracts/networks'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist, createVisitor, type Artist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { connect, followOAuthFlow } from '../../../testing/connect.ts'
import { freePorts } from '../../../testing/ports.ts'
import { startProcess, type ProductProcess } from '../../../testing/processes.ts'
import { control } from '../../../testing/sandbox.ts'
import { openPageToken, openToken } from './token-encryption.ts'

let app: TestApp
/** A second web process with the most verbose log. */
let talkative: ProductProcess
let second: TestApp
beforeAll(async () => {
  app = await startTestApp()
  const [port] = await freePorts(1)
  const url = `http://localhost:${port}`
  talkative = await startProcess({ ...app.env, ROLE: 'web', PORT: String(port), PUBLIC_URL: url, LOG_LEVEL: 'trace' })
  second = { ...app, url }
})
afterAll(async () => {
  await talkative.end('SIGTERM')
  await app.stop()
})

test('no response and no log line contains a token', async () => {
  const loggedIn = await createArtist(app)
  const visitor = createVisitor(second.url)
  for (const [name, value] of loggedIn.cookies) visitor.cookies.set(name, value)
  const artist: Artist = { ...loggedIn, ...visitor }
  const answers: string[] = []
  const keep = (answer: { body: unknown; headers: Headers }) =>
    void answers.push(JSON.stringify(answer.body), JSON.stringify([...answer.headers]))
  const secrets = new Set<string>()
  const learn = async () => {
    const accounts = await app.client.db.select().from(socialAccounts)
    const pages = await app.client.db.select().from(socialPages)
    const { config } = app.running
    for (const one of accounts) {
      secrets.add(openToken(config, one, 'access_token', one.accessToken))
      if (one.refreshToken !== null) secrets.add(openToken(config, one, 'refresh_token', one.refreshToken))
    }
    for (const page of pages) {
      const login = accounts.find((one) => one.id === page.accountId)
      const token = login && openPageToken(config, login, page)
      if (token) secrets.add(token)
    }
  }
  for (const platform of platforms) {
    // Flows that fail after a token was issued, where errors might contain it.
    for (const path of ['me/accounts', '/me\\?', 'user/info', 'youtube/v3/channels', 'organizationAcls']) {
      await control(app, 'POST', '/faults', {
        service: platform,
        method: '',
        path,
        times: 1,
        kind: 'status',
        status: 400,
        body: { error: { message: 'no', code: 100 } },
      })
    }
    answers.push((await followOAuthFlow(second, artist, platform)).href)
    await control(app, 'DELETE', '/faults')
    const account = await connect(second, artist, platform)
    await learn()
    keep(await artist.put(`/api/social-accounts/${account._id}/token`))
    await learn()
    await control(app, 'POST', '/faults', {
      service: platform,
      method: '',
      path: 'token|me\\?|Acls',
      times: 1,
      kind: 'revoke-token',
    })
    keep(await artist.put(`/api/social-accounts/${account._id}/token`))
    await control(app, 'DELETE', '/faults')
    keep(await artist.get('/api/social-accounts'))
    answers.push(JSON.stringify(await artist.trpc.social.accounts.query()))
    await artist.trpc.social.creatorInfo
      .query({ socialAccountId: account._id })
      .catch((error: unknown) => answers.push(JSON.stringify(error)))
    keep(await artist.delete(`/api/social-accounts/${account._id}`))
  }
  expect(secrets.size).toBeGreaterThan(10)
  const output = talkative.output()
  expect(output).toMatch(/could not be refreshed/)
  const appSecrets = Object.values(app.running.config.networks).flatMap((network) => network?.clientSecret ?? [])
  for (const secret of [...secrets, ...appSecrets]) {
    expect(output).not.toContain(secret)
    expect(answers.join('\n')).not.toContain(secret)
  }
})
