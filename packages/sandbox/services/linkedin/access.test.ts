import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NetworkFixture, startNetworkFixture } from '../network-fixture.ts'
import {
  allScopes,
  call,
  client,
  codeOf,
  consent,
  imogen,
  login,
  oauth,
  redirectUri,
  foreignPage,
} from './login-for-tests.ts'

let fixture: NetworkFixture
beforeAll(async () => {
  fixture = await startNetworkFixture(0)
})
beforeEach(() => fixture.call('POST', '_control/reset'))
afterAll(() => fixture.stop())

const acls = 'organizationAcls?q=roleAssignee&state=APPROVED&start=0&count=100'

test.each([
  { client_id: undefined },
  { response_type: 'token' },
  { redirect_uri: undefined },
  { redirect_uri: 'http://studio.example/back' },
])('the authorization page rejects %o', async (query: Record<string, string | undefined>) => {
  const answer = await consent(fixture, query)
  expect(answer.status).toBe(400)
  expect(answer.back).toBeUndefined()
})

test('an unknown scope and a denial redirect with their errors and the state', async () => {
  const unknown = await consent(fixture, { scope: 'w_organization_social w_everything' })
  expect(unknown.back?.searchParams.get('error')).toBe('unauthorized_scope_error')
  const denied = await consent(fixture, { auto: 'deny' })
  expect(denied.back?.searchParams.get('error')).toBe('user_cancelled_authorize')
  expect(denied.back?.searchParams.get('state')).toBe('st-1')
})

test('without auto the consent page lists both members', async () => {
  const answer = await consent(fixture, { auto: undefined })
  expect(answer.status).toBe(200)
  expect(String(answer.body['text'])).toContain('Rowan Ashdown')
  expect(String(answer.body['text'])).toContain('Imogen Vale')
})

test('a code works once, for its own client and address', async () => {
  const code = async () => (await consent(fixture)).back?.searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', redirect_uri: redirectUri }
  expect((await oauth(fixture, 'accessToken', { ...form, code: await code(), client_id: 'another' })).status).toBe(400)
  expect(
    (await oauth(fixture, 'accessToken', { ...form, code: await code(), redirect_uri: 'http://localhost:4000/else' }))
      .status,
  ).toBe(400)
  expect((await oauth(fixture, 'accessToken', { ...form, code: await code(), client_secret: '' })).status).toBe(401)
  const good = await code()
  const first = await oauth(fixture, 'accessToken', { ...form, code: good })
  expect(first.body).toMatchObject({
    expires_in: 5_184_000,
    refresh_token_expires_in: 31_536_000,
    scope: allScopes.replaceAll(' ', ','),
  })
  expect((await oauth(fixture, 'accessToken', { ...form, code: good })).body).toMatchObject({
    error: 'invalid_request',
  })
})

test('one member gets refresh tokens, the other does not', async () => {
  const rowan = await login(fixture)
  expect(await login(fixture, { as: imogen })).not.toHaveProperty('refresh_token')
  const form = { grant_type: 'refresh_token', refresh_token: rowan.refresh_token ?? '' }
  const fresh = await oauth(fixture, 'accessToken', form)
  expect(fresh.body).toMatchObject({ expires_in: 5_184_000, refresh_token: rowan.refresh_token })
  expect(Number(fresh.body['refresh_token_expires_in'])).toBeLessThanOrEqual(31_536_000)
  expect(fresh.body['access_token']).not.toBe(rowan.access_token)
  expect((await oauth(fixture, 'accessToken', { ...form, refresh_token: 'AQmade-up' })).body).toMatchObject({
    error: 'invalid_grant',
  })
  expect((await oauth(fixture, 'accessToken', { ...form, client_id: 'another' })).body).toMatchObject({
    error: 'invalid_grant',
  })
})

test('a consent for other scopes invalidates the earlier token, one for the same scopes does not', async () => {
  const first = await login(fixture)
  const second = await login(fixture)
  expect((await call(fixture, 'GET', acls, first.access_token)).status).toBe(200)
  await login(fixture, { scope: 'rw_organization_admin' })
  expect(codeOf(await call(fixture, 'GET', acls, second.access_token))).toBe('REVOKED_ACCESS_TOKEN')
})

test('introspection answers active, expired and revoked; a revoked token cannot be refreshed', async () => {
  const { access_token: token, refresh_token: refreshToken } = await login(fixture)
  const introspect = async () => (await oauth(fixture, 'introspectToken', { token })).body
  expect(await introspect()).toMatchObject({ active: true, status: 'active', client_id: client.client_id })
  expect((await oauth(fixture, 'introspectToken', { token: 'AQmade-up' })).body).toEqual({ active: false })
  await fixture.fault({ service: 'linkedin', path: 'organizationAcls', kind: 'expire-token' })
  expect(codeOf(await call(fixture, 'GET', acls, token))).toBe('EXPIRED_ACCESS_TOKEN')
  expect(await introspect()).toMatchObject({ active: false, status: 'expired' })
  expect(
    (await oauth(fixture, 'accessToken', { grant_type: 'refresh_token', refresh_token: refreshToken ?? '' })).status,
  ).toBe(200)
  expect((await oauth(fixture, 'revoke', { token })).status).toBe(200)
  expect(await introspect()).toMatchObject({ active: false, status: 'revoked' })
  expect(
    (await oauth(fixture, 'accessToken', { grant_type: 'refresh_token', refresh_token: refreshToken ?? '' })).body,
  ).toMatchObject({ error: 'invalid_grant' })
})

test('revoke-token ends the whole consent', async () => {
  const { access_token: token, refresh_token: refreshToken } = await login(fixture)
  await fixture.fault({ service: 'linkedin', path: 'organizationAcls', kind: 'revoke-token' })
  expect(codeOf(await call(fixture, 'GET', acls, token))).toBe('REVOKED_ACCESS_TOKEN')
  expect(
    (await oauth(fixture, 'accessToken', { grant_type: 'refresh_token', refresh_token: refreshToken ?? '' })).status,
  ).toBe(400)
})

test('rejects a missing, expired, future or malformed version with 426', async () => {
  const { access_token: token } = await login(fixture)
  for (const version of ['202511', '202611', '202705', '2026', '202600', '202613']) {
    expect(await call(fixture, 'GET', acls, token, undefined, { 'linkedin-version': version })).toMatchObject({
      status: 426,
    })
  }
  const none = await fixture.call('GET', `api.linkedin.com/rest/${acls}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(none.status).toBe(426)
  expect((await call(fixture, 'GET', acls, token, undefined, { 'linkedin-version': '202603' })).status).toBe(200)
})

test("the role finder lists a login's two pages, and only with the scope", async () => {
  expect(codeOf(await call(fixture, 'GET', acls, 'AQmade-up'))).toBe('INVALID_ACCESS_TOKEN')
  const writer = await login(fixture, { scope: 'w_organization_social' })
  expect(codeOf(await call(fixture, 'GET', acls, writer.access_token))).toBe('ACCESS_DENIED')
  const { access_token: token } = await login(fixture)
  expect((await call(fixture, 'GET', 'organizationAcls?state=APPROVED', token)).status).toBe(400)
  expect((await call(fixture, 'GET', acls.replace('100', '101'), token)).status).toBe(400)
  const answer = await call(fixture, 'GET', acls, token, undefined, { 'x-restli-method': 'FINDER' })
  expect(answer.body['elements']).toEqual([
    {
      organization: 'urn:li:organization:40718201',
      role: 'ADMINISTRATOR',
      roleAssignee: 'urn:li:person:tR9wX2kQpL',
      state: 'APPROVED',
    },
    {
      organization: 'urn:li:organization:40718202',
      role: 'CONTENT_ADMINISTRATOR',
      roleAssignee: 'urn:li:person:tR9wX2kQpL',
      state: 'APPROVED',
    },
  ])
})

test("details come one by one or in a batch, for the member's own pages only", async () => {
  const { access_token: token } = await login(fixture)
  expect((await call(fixture, 'GET', 'organizations/40718201', token)).body).toMatchObject({
    localizedName: 'Tidewater Ink',
    vanityName: 'tidewater-ink',
  })
  expect((await call(fixture, 'GET', `organizations/${foreignPage.split(':').at(-1)}`, token)).status).toBe(403)
  expect((await call(fixture, 'GET', 'organizations/1', token)).status).toBe(404)
  const batch = await call(fixture, 'GET', 'organizations?ids=List(40718201,40718202,40718203)', token, undefined, {
    'x-restli-method': 'BATCH_GET',
  })
  expect(Object.keys(batch.body['results'] as object)).toEqual(['40718201', '40718202'])
  expect(batch.body['errors']).toMatchObject({ '40718203': { status: 403 } })
  expect((await call(fixture, 'GET', 'organizations?ids=List%2840718201%29', token)).status).toBe(400)
  expect(
    (
      await call(fixture, 'GET', 'organizations?ids=List(1)', token, undefined, {
        'x-restli-protocol-version': '1.0.0',
      })
    ).status,
  ).toBe(400)
})

test('new pages belong to the first login, and are listed in pages of a hundred', async () => {
  await fixture.call('POST', '_control/pages', { json: { platform: 'linkedin', count: 150 } })
  const { access_token: token } = await login(fixture)
  const first = await call(fixture, 'GET', acls, token)
  expect(first.body['elements']).toHaveLength(100)
  expect(first.body['paging']).toMatchObject({ total: 152, links: [{ rel: 'next' }] })
  expect((await call(fixture, 'GET', acls.replace('start=0', 'start=100'), token)).body['elements']).toHaveLength(52)
})
