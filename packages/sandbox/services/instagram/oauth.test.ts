import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type NetworkFixture, startNetworkFixture } from '../network-fixture.ts'
import { app, back, codeOf, connect, consent, exchange, graph, scopes } from './login-for-tests.ts'

let fixture: NetworkFixture
beforeAll(async () => void (fixture = await startNetworkFixture()))
afterAll(() => fixture.stop())
afterEach(() => void vi.useRealTimers())

const later = (hours: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 })
const host = 'graph.instagram.com'
const authorize = (query: Record<string, string>) => {
  const whole = { client_id: app.id, redirect_uri: back, response_type: 'code', scope: scopes, state: 's1', ...query }
  return fixture.call('GET', `www.instagram.com/oauth/authorize?${new URLSearchParams(whole).toString()}`)
}
const refresh = (token: string) =>
  fixture.call('GET', `${host}/refresh_access_token?grant_type=ig_refresh_token&access_token=${token}`)

test('the consent page rejects old scopes, a plain http address and a missing response_type', async () => {
  const wrongs: Record<string, string>[] = [
    { scope: 'business_basic' },
    { scope: '' },
    { redirect_uri: 'http://artist.example/cb' },
    { response_type: '' },
    { client_id: '' },
  ]
  for (const wrong of wrongs) expect((await authorize({ auto: 'approve', ...wrong })).status).toBe(400)
})

test('lists two accounts; denying redirects without a code', async () => {
  const text = String((await authorize({})).body['text'])
  expect(text).toContain('blackquill.tattoo')
  expect(text).toContain('ines.calder.ink')
  expect(text).not.toContain('tobin.offduty')
  const denied = new URL((await authorize({ auto: 'deny' })).headers.get('location') ?? '')
  expect(Object.fromEntries(denied.searchParams)).toMatchObject({ error: 'access_denied', state: 's1' })
})

test('the code comes with a trailing #_, is bound to its address and works once', async () => {
  const location = await consent(fixture)
  expect(location.endsWith('#_')).toBe(true)
  const code = codeOf(location)
  expect((await exchange(fixture, code, { redirect_uri: `${back}?x` })).body).toMatchObject({
    error_type: 'OAuthException',
    code: 400,
  })
  expect((await exchange(fixture, code, { client_id: '1' })).status).toBe(400)
  expect((await exchange(fixture, code, { grant_type: 'code' })).status).toBe(400)
  const good = await exchange(fixture, code)
  expect(good.body['data']).toEqual([
    { access_token: expect.stringMatching(/^IGAA/), user_id: '24900871155500001', permissions: scopes },
  ])
  expect((await exchange(fixture, code)).body).toMatchObject({
    error_message: 'Matching code was not found or was already used',
  })
  expect((await exchange(fixture, codeOf(await consent(fixture)), { client_secret: 'guess' })).status).toBe(400)
  const fresh = codeOf(await consent(fixture))
  later(1.1)
  expect((await exchange(fixture, fresh)).status).toBe(400)
})

test('the long-lived exchange needs the app secret and a valid short-lived token', async () => {
  const data = (await exchange(fixture, codeOf(await consent(fixture)))).body['data'] as { access_token: string }[]
  const short = data[0]!.access_token
  const lengthen = (secret: string, token: string) =>
    fixture.call(
      'GET',
      `${host}/access_token?grant_type=ig_exchange_token&client_secret=${secret}&access_token=${token}`,
    )
  expect((await lengthen('guess', short)).body.error).toMatchObject({ code: 1 })
  expect((await lengthen(app.secret, 'IGAAnone')).body.error).toMatchObject({ code: 190 })
  const long = await lengthen(app.secret, short)
  expect(long.body).toMatchObject({ token_type: 'bearer', expires_in: 5_183_944 })
  expect((await lengthen(app.secret, String(long.body['access_token']))).body.error).toMatchObject({ code: 452 })
  later(2)
  expect((await lengthen(app.secret, short)).body.error).toMatchObject({ code: 190, error_subcode: 463 })
})

test('rejects a refresh before 24 hours and after 60 days; the old token stays valid', async () => {
  const { token } = await connect(fixture)
  expect((await refresh(token)).body.error).toMatchObject({ code: 100 })
  later(25)
  const fresh = await refresh(token)
  expect(fresh.body).toMatchObject({ token_type: 'bearer', expires_in: 5_183_944, permissions: scopes })
  expect(fresh.body['access_token']).not.toBe(token)
  expect((await fixture.call('GET', `${graph}/me?access_token=${token}`)).status).toBe(200)
  vi.useRealTimers()
  later(61 * 24)
  expect((await refresh(token)).body.error).toMatchObject({ code: 190, error_subcode: 463 })
})

test('the publishing id differs from the app-scoped id; unknown fields are rejected', async () => {
  const { token } = await connect(fixture, '&as=17841460011220002')
  const me = await fixture.call('GET', `${graph}/me?fields=user_id,username,name,account_type,profile_picture_url`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(me.body).toMatchObject({
    user_id: '17841460011220002',
    id: '24900871155500002',
    username: 'ines.calder.ink',
    account_type: 'MEDIA_CREATOR',
  })
  expect((await fixture.call('GET', `${graph}/me?fields=shoe_size&access_token=${token}`)).body.error).toMatchObject({
    code: 100,
  })
  const personal = await connect(fixture, '&as=17841460011220003')
  const profile = await fixture.call('GET', `${graph}/me?fields=account_type&access_token=${personal.token}`)
  expect(profile.body['account_type']).toBe('PERSONAL')
})

test('faults expire-token and revoke-token invalidate the token with 463 and 460', async () => {
  for (const [kind, subcode] of [
    ['expire-token', 463],
    ['revoke-token', 460],
  ] as const) {
    const { token } = await connect(fixture)
    await fixture.fault({ service: 'instagram', kind, path: '/me\\?' })
    for (const _ of [1, 2])
      expect((await fixture.call('GET', `${graph}/me?access_token=${token}`)).body.error).toMatchObject({
        code: 190,
        error_subcode: subcode,
      })
    expect((await refresh(token)).body.error).toMatchObject({ code: 190 })
  }
})
