import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NetworkFixture, startNetworkFixture } from '../network-fixture.ts'
import { app, back, connect, consentCode, graph, scopes, shortToken } from './login-for-tests.ts'

let fixture: NetworkFixture
beforeAll(async () => void (fixture = await startNetworkFixture()))
afterAll(() => fixture.stop())

const dialog = (query: Record<string, string>) =>
  fixture.call(
    'GET',
    `www.facebook.com/v26.0/dialog/oauth?${new URLSearchParams({ client_id: app.id, redirect_uri: back, state: 's1', scope: scopes, ...query }).toString()}`,
  )
const exchange = (query: Record<string, string>) =>
  fixture.call(
    'GET',
    `${graph}/oauth/access_token?${new URLSearchParams({ client_id: app.id, client_secret: app.secret, redirect_uri: back, ...query }).toString()}`,
  )

test('the dialog refuses an unknown scope, a plain http address and a missing app', async () => {
  const wrongs: Record<string, string>[] = [
    { scope: 'pages_show_list,make_me_admin' },
    { redirect_uri: 'http://artist.example/callback' },
    { client_id: '' },
    { response_type: 'token' },
  ]
  for (const wrong of wrongs) {
    const answer = await dialog({ auto: 'approve', ...wrong })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  }
})

test('cancelling redirects with access_denied and the state, without a code', async () => {
  const location = new URL((await dialog({ auto: 'deny' })).headers.get('location') ?? '')
  expect(Object.fromEntries(location.searchParams)).toMatchObject({
    error: 'access_denied',
    error_reason: 'user_denied',
    state: 's1',
  })
  expect(location.searchParams.has('code')).toBe(false)
})

test('a person picks an identity and the pages that the app gets', async () => {
  const asked = await dialog({})
  expect(asked.status).toBe(200)
  expect(asked.body['text']).toContain('Salt &amp; Ember Studio')
  const form = { decision: 'approve', as: '10226001845530122', page: '104882637710004' }
  const answer = await fixture.call(
    'POST',
    `www.facebook.com/dialog/oauth?${new URLSearchParams({ client_id: app.id, redirect_uri: back, scope: scopes }).toString()}`,
    { form },
  )
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const user = await shortToken(fixture, code)
  const pages = await fixture.call('GET', `${graph}/me/accounts?fields=id,name&access_token=${user}`)
  expect(pages.body['data']).toEqual([{ id: '104882637710004', name: 'Ines Calder Blackwork' }])
})

test('a code is refused with another redirect_uri, another app or a wrong secret, and works once', async () => {
  const code = await consentCode(fixture)
  expect((await exchange({ code: 'nonsense' })).body.error).toMatchObject({ code: 100 })
  expect((await exchange({ code, redirect_uri: `${back}/` })).body.error).toMatchObject({
    code: 100,
    error_subcode: 36008,
  })
  expect((await exchange({ code, client_id: '1' })).body.error).toMatchObject({ code: 100 })
  const good = await exchange({ code })
  expect(good.body).toMatchObject({ token_type: 'bearer', expires_in: 5400 })
  expect((await exchange({ code })).body.error).toMatchObject({ code: 100, error_subcode: 36009 })
  const wrong = await exchange({ code: await consentCode(fixture), client_secret: 'guess' })
  expect(wrong.body.error).toMatchObject({ code: 1, message: 'Error validating client secret.' })
})

test('rejects a token that is missing, unknown or badly signed', async () => {
  expect((await fixture.call('GET', `${graph}/me`)).body.error).toMatchObject({ code: 2500 })
  expect((await fixture.call('GET', `${graph}/104882637710001`)).body.error).toMatchObject({ code: 104 })
  const invented = await fixture.call('GET', `${graph}/me`, { headers: { authorization: 'Bearer EAAGnothing' } })
  expect(invented.body.error).toMatchObject({ code: 190, fbtrace_id: expect.stringMatching(/^A/) })
  const { user } = await connect(fixture)
  const proof = createHmac('sha256', app.secret).update(user).digest('hex')
  expect(
    (
      await fixture.call(
        'GET',
        `${graph}/me?access_token=${user}&appsecret_proof=${proof.startsWith('a') ? 'b' : 'a'}${proof.slice(1)}`,
      )
    ).body.error,
  ).toMatchObject({ code: 100 })
  expect((await fixture.call('GET', `${graph}/me?access_token=${user}&appsecret_proof=${proof}`)).body).toEqual({
    id: '10226001845530121',
    name: 'Marlo Vance',
  })
})

test('page tokens have no expiry date only when they come from a long-lived user token', async () => {
  const debugToken = async (input: string) =>
    (await fixture.call('GET', `${graph}/debug_token?input_token=${input}&access_token=${app.id}|${app.secret}`)).body[
      'data'
    ] as Record<string, unknown>
  const short = await shortToken(fixture, await consentCode(fixture))
  const fromShort = (
    (await fixture.call('GET', `${graph}/me/accounts?access_token=${short}`)).body['data'] as { access_token: string }[]
  )[0]!
  expect((await debugToken(fromShort.access_token))['expires_at']).toBeGreaterThan(0)
  const { user, pages } = await connect(fixture)
  expect(await debugToken(pages[0]!.access_token)).toMatchObject({
    is_valid: true,
    type: 'PAGE',
    expires_at: 0,
    profile_id: pages[0]!.id,
    app_id: app.id,
  })
  const whole = await debugToken(user)
  expect(whole['scopes']).toEqual(['public_profile', ...scopes.split(',')])
  expect(Number(whole['expires_at']) - Number(whole['issued_at'])).toBe(5_183_944)
  expect(
    (await fixture.call('GET', `${graph}/debug_token?input_token=${user}&access_token=${app.id}|guess`)).body.error,
  ).toMatchObject({ code: 190 })
})

test('the page list has cursors to its last page and hides pages without the permission', async () => {
  const { user } = await connect(fixture)
  const first = await fixture.call('GET', `${graph}/me/accounts?fields=id,tasks&limit=1&access_token=${user}`)
  expect(first.body['data']).toEqual([{ id: '104882637710001', tasks: expect.arrayContaining(['CREATE_CONTENT']) }])
  const paging = first.body['paging'] as { next: string }
  expect(paging.next.startsWith(`${fixture.sandbox.url}/graph.facebook.com/v26.0/me/accounts?`)).toBe(true)
  const second = await fixture.call('GET', paging.next)
  expect((second.body['data'] as { id: string }[]).map((one) => one.id)).toEqual(['104882637710002'])
  expect((second.body['paging'] as Record<string, unknown>)['next']).toBeUndefined()
  const declined = await connect(fixture, '&decline=pages_show_list')
  expect(declined.pages).toEqual([])
  const permissions = await fixture.call('GET', `${graph}/me/permissions?access_token=${declined.user}`)
  expect(permissions.body['data']).toContainEqual({ permission: 'pages_show_list', status: 'declined' })
})

test("a Business Manager's page is found only through its business, and only with business_management", async () => {
  const plain = await connect(fixture, '&as=10226001845530123')
  expect((await fixture.call('GET', `${graph}/me/businesses?access_token=${plain.user}`)).body.error).toMatchObject({
    code: 200,
  })
  const wide = await connect(fixture, '&as=10226001845530123', `${scopes},business_management`)
  expect(wide.pages.map((page) => page.name)).not.toContain('North Needle Supplies')
  const [business] = (await fixture.call('GET', `${graph}/me/businesses?access_token=${wide.user}`)).body['data'] as {
    id: string
  }[]
  const owned = (
    await fixture.call('GET', `${graph}/${business!.id}/owned_pages?fields=id,access_token&access_token=${wide.user}`)
  ).body['data'] as { id: string; access_token: string }[]
  expect(owned.map((page) => page.id)).toEqual(['104882637710007'])
  const made = await fixture.call('POST', `${graph}/${owned[0]!.id}/feed`, {
    json: { message: 'New inks', access_token: owned[0]!.access_token },
  })
  expect(made.status).toBe(200)
  const otherPerson = await connect(fixture, '', `${scopes},business_management`)
  expect(
    (await fixture.call('GET', `${graph}/${business!.id}/owned_pages?access_token=${otherPerson.user}`)).body.error,
  ).toMatchObject({ error_subcode: 33 })
  expect((await fixture.call('GET', `${graph}/me/businesses?access_token=${otherPerson.user}`)).body['data']).toEqual(
    [],
  )
})

test('rejects an unknown field and an unknown path as Graph does', async () => {
  const { user } = await connect(fixture)
  expect(
    (await fixture.call('GET', `${graph}/me?fields=id,shoe_size&access_token=${user}`)).body.error?.message,
  ).toContain('nonexisting field (shoe_size)')
  expect((await fixture.call('GET', `${graph}/me?fields=id,&access_token=${user}`)).body.error).toMatchObject({
    code: 100,
  })
  expect((await fixture.call('GET', `${graph}/1/2/3?access_token=${user}`)).body.error).toMatchObject({ code: 2500 })
  expect((await fixture.call('GET', `${graph}/999?access_token=${user}`)).body.error).toMatchObject({
    code: 100,
    error_subcode: 33,
  })
})

test('fault expire-token: that one token is rejected with 463, a new consent works', async () => {
  const { pages, user } = await connect(fixture)
  await fixture.fault({ service: 'facebook', kind: 'expire-token', method: 'GET', path: `^/v26.0/${pages[0]!.id}\\?` })
  const read = () => fixture.call('GET', `${graph}/${pages[0]!.id}?access_token=${pages[0]!.access_token}`)
  for (const _ of [1, 2]) expect((await read()).body.error).toMatchObject({ code: 190, error_subcode: 463 })
  expect((await read()).status).toBe(401)
  expect((await fixture.call('GET', `${graph}/me?access_token=${user}`)).status).toBe(200)
  const again = await connect(fixture)
  expect(
    (await fixture.call('GET', `${graph}/${again.pages[0]!.id}?access_token=${again.pages[0]!.access_token}`)).status,
  ).toBe(200)
})

test('fault revoke-token rejects with 460; removing the app rejects every token of that person with 458', async () => {
  const first = await connect(fixture, '&as=10226001845530122')
  await fixture.fault({ service: 'facebook', kind: 'revoke-token', path: '^/v26.0/me\\?' })
  expect((await fixture.call('GET', `${graph}/me?access_token=${first.user}`)).body.error).toMatchObject({
    code: 190,
    error_subcode: 460,
  })
  const second = await connect(fixture, '&as=10226001845530122')
  expect(
    (await fixture.call('DELETE', `${graph}/${second.userId}/permissions?access_token=${app.id}|guess`)).body.error,
  ).toMatchObject({ code: 190 })
  expect(
    (await fixture.call('DELETE', `${graph}/${second.userId}/permissions?access_token=${second.user}`)).body,
  ).toEqual({ success: true })
  const dead = await fixture.call(
    'GET',
    `${graph}/${second.pages[0]!.id}?access_token=${second.pages[0]!.access_token}`,
  )
  expect(dead.body.error).toMatchObject({ code: 190, error_subcode: 458 })
})
