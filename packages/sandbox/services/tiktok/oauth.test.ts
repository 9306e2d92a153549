import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NetworkFixture, startNetworkFixture } from '../network-fixture.ts'
import { allScopes, api, client, consent, login, redirectUri, status, token } from './login-for-tests.ts'

let fixture: NetworkFixture
beforeAll(async () => {
  fixture = await startNetworkFixture(0)
})
beforeEach(() => fixture.call('POST', '_control/reset'))
afterAll(() => fixture.stop())

test.each([
  { client_key: undefined },
  { scope: 'video.publish,everything' },
  { scope: undefined },
  { response_type: 'token' },
  { redirect_uri: undefined },
  { redirect_uri: 'http://studio.example/back' },
  { redirect_uri: 'https://studio.example/back?from=tiktok' },
  { redirect_uri: 'https://studio.example/back#there' },
  { redirect_uri: `https://studio.example/${'x'.repeat(512)}` },
])('the authorize page rejects %o', async (query: Record<string, string | undefined>) => {
  const answer = await consent(fixture, query)
  expect(answer.status).toBe(400)
  expect(answer.back).toBeUndefined()
})

test('without auto the consent page lists both creators', async () => {
  const answer = await consent(fixture, { auto: undefined })
  expect(answer.status).toBe(200)
  expect(String(answer.body['text'])).toContain('Tidewater Ink')
  expect(String(answer.body['text'])).toContain('Marlow Needleworks')
})

test('a denial redirects with access_denied and the state', async () => {
  const { back } = await consent(fixture, { auto: 'deny' })
  expect(back?.searchParams.get('error')).toBe('access_denied')
  expect(back?.searchParams.get('state')).toBe('st-1')
  expect(back?.searchParams.get('code')).toBeNull()
})

test('a code works once, for its own client and address', async () => {
  const code = async () => (await consent(fixture)).back?.searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', redirect_uri: redirectUri }
  expect((await token(fixture, { ...form, code: await code(), client_key: 'another' })).body).toMatchObject({
    error: 'invalid_grant',
  })
  expect(
    (await token(fixture, { ...form, code: await code(), redirect_uri: 'http://localhost:4000/else' })).body,
  ).toMatchObject({ error: 'invalid_request' })
  expect((await token(fixture, { ...form, code: await code(), client_secret: '' })).body).toMatchObject({
    error: 'invalid_client',
  })
  expect((await token(fixture, { ...form, code: await code(), grant_type: 'password' })).body).toMatchObject({
    error: 'unsupported_grant_type',
  })
  const asJson = await fixture.call('POST', `${api}/oauth/token/`, { json: { ...client, ...form, code: await code() } })
  expect(asJson.body).toMatchObject({ error: 'invalid_request' })
  const good = await code()
  const first = await token(fixture, { ...form, code: good })
  expect(first.status).toBe(200)
  expect(first.body).toMatchObject({
    expires_in: 7200,
    refresh_expires_in: 15_552_000,
    token_type: 'Bearer',
    scope: allScopes,
  })
  const again = await token(fixture, { ...form, code: good })
  expect(again.status).toBe(400)
  expect(again.body).toMatchObject({ error: 'invalid_grant', log_id: expect.any(String) })
})

test('a refresh token works once: the rotated one is refused, the new pair is valid', async () => {
  const first = await login(fixture)
  const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
  const second = await token(fixture, form)
  expect(second.status).toBe(200)
  expect(second.body['refresh_token']).not.toBe(first.refresh_token)
  expect((await token(fixture, form)).body).toMatchObject({ error: 'invalid_grant' })
  const third = await token(fixture, {
    grant_type: 'refresh_token',
    refresh_token: String(second.body['refresh_token']),
  })
  expect(third.status).toBe(200)
  expect(third.body['open_id']).toBe(first.open_id)
})

test('of two concurrent refreshes, one wins', async () => {
  const { refresh_token } = await login(fixture)
  const both = await Promise.all([1, 2].map(() => token(fixture, { grant_type: 'refresh_token', refresh_token })))
  expect(both.filter((one) => one.status === 200)).toHaveLength(1)
})

test('after revoking, neither token works; only a valid access token revokes', async () => {
  const { access_token, refresh_token } = await login(fixture)
  const revoke = async (value: string) =>
    (await fixture.call('POST', `${api}/oauth/revoke/`, { form: { ...client, token: value } })).status
  expect(await revoke('act.unknown')).toBe(400)
  expect(await revoke(refresh_token)).toBe(400)
  expect(await revoke(access_token)).toBe(200)
  expect(await status(fixture, access_token, 'x')).toMatchObject({ status: 401, code: 'access_token_invalid' })
  expect((await token(fixture, { grant_type: 'refresh_token', refresh_token })).body).toMatchObject({
    error: 'invalid_grant',
  })
})

test('expire-token invalidates the access token only, revoke-token the refresh token too', async () => {
  const first = await login(fixture)
  await fixture.fault({ service: 'tiktok', path: 'status/fetch', kind: 'expire-token' })
  expect(await status(fixture, first.access_token, 'x')).toMatchObject({ status: 401, code: 'access_token_invalid' })
  const second = await token(fixture, { grant_type: 'refresh_token', refresh_token: first.refresh_token })
  expect(second.status).toBe(200)
  await fixture.fault({ service: 'tiktok', path: 'status/fetch', kind: 'revoke-token' })
  expect(await status(fixture, String(second.body['access_token']), 'x')).toMatchObject({
    status: 401,
    code: 'access_token_invalid',
  })
  const third = await token(fixture, {
    grant_type: 'refresh_token',
    refresh_token: String(second.body['refresh_token']),
  })
  expect(third.body).toMatchObject({ error: 'invalid_grant' })
})

test('user info returns the requested fields, each with its scope', async () => {
  const basic = await login(fixture, { scope: 'user.info.basic' })
  const ask = (accessToken: string, fields: string) => {
    return fixture.call('GET', `${api}/user/info/?fields=${fields}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
  }
  expect((await ask('act.wrong', 'open_id')).body).toMatchObject({ error: { code: 'access_token_invalid' } })
  expect((await ask(basic.access_token, 'open_id,username')).body).toMatchObject({
    error: { code: 'scope_not_authorized' },
  })
  expect((await ask(basic.access_token, 'open_id,shoe_size')).body).toMatchObject({ error: { code: 'invalid_params' } })
  expect((await ask(basic.access_token, '')).status).toBe(400)
  const second = await login(fixture, { as: '-000MarlowNeedleR3fYtz80hPqJe6s' })
  const answer = await ask(second.access_token, 'open_id,display_name,username')
  expect(answer.body['data']).toEqual({
    user: { open_id: second.open_id, display_name: 'Marlow Needleworks', username: 'marlow.needle' },
  })
})
