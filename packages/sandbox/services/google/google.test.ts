import { createHash } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandboxFixture, type SandboxFixture } from '../../sandbox-fixture.ts'

let sandbox: SandboxFixture
beforeAll(async () => {
  sandbox = await startSandboxFixture()
})
afterAll(() => sandbox.remove())

const verifier = 'a-verifier-that-is-long-enough-for-the-rule-of-43'
const challenge = createHash('sha256').update(verifier).digest('base64url')
const redirect = 'http://localhost:3000/api/auth/google/callback'
const client = { client_id: 'shop.apps.googleusercontent.com', client_secret: 'made-up' }

const asked = {
  client_id: client.client_id,
  redirect_uri: redirect,
  response_type: 'code',
  scope: 'openid email profile',
  state: 's-1',
  nonce: 'n-1',
  code_challenge: challenge,
  code_challenge_method: 'S256',
}

function authorize(change: Record<string, string> = {}): Promise<Response> {
  const query = new URLSearchParams(Object.entries({ ...asked, ...change }).filter(([, value]) => value !== ''))
  return fetch(`${sandbox.url}/accounts.google.com/o/oauth2/v2/auth?${query.toString()}`, { redirect: 'manual' })
}

async function code(change: Record<string, string> = {}): Promise<string> {
  const answer = await authorize({ auto: 'approve', ...change })
  return new URL(answer.headers.get('location')!).searchParams.get('code')!
}

async function call(
  path: string,
  form: Record<string, string>,
): Promise<{ status: number; body: Record<string, string> }> {
  const answer = await fetch(`${sandbox.url}/oauth2.googleapis.com/${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, string> }
}

const exchange = (given: string, change: Record<string, string> = {}) =>
  call('token', {
    ...client,
    grant_type: 'authorization_code',
    code: given,
    redirect_uri: redirect,
    code_verifier: verifier,
    ...change,
  })

test('the consent screen rejects invalid requests', async () => {
  const changes: Record<string, string>[] = [
    { client_id: '' },
    { scope: '' },
    { redirect_uri: 'http://evil.example/callback' },
    { redirect_uri: 'javascript:alert(1)' },
    { response_type: 'token' },
    { scope: 'openid https://www.googleapis.com/auth/drive' },
    { code_challenge: 'short' },
  ]
  for (const change of changes) {
    const answer = await authorize({ ...change, auto: 'approve' })
    expect([change, answer.status, answer.headers.get('location')]).toEqual([change, 400, null])
  }
})

test('a denial and prompt=none redirect with an error and the state', async () => {
  const no = new URL((await authorize({ auto: 'deny' })).headers.get('location')!)
  expect(Object.fromEntries(no.searchParams)).toEqual({ error: 'access_denied', state: 's-1' })
  const silent = new URL((await authorize({ prompt: 'none' })).headers.get('location')!)
  expect(silent.searchParams.get('error')).toBe('interaction_required')
})

test('a code works once, only for its client, address and verifier', async () => {
  expect(await exchange('4/none')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await exchange(await code(), { code_verifier: 'b'.repeat(43) })).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  })
  expect(await exchange(await code(), { code_verifier: '' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  })
  expect(await exchange(await code(), { redirect_uri: `${redirect}/x` })).toMatchObject({
    status: 400,
    body: { error: 'redirect_uri_mismatch' },
  })
  expect(await exchange(await code(), { client_id: 'other' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  })
  expect(await exchange(await code(), { client_secret: '' })).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  })
  expect(await exchange(await code(), { grant_type: 'password' })).toMatchObject({
    status: 400,
    body: { error: 'unsupported_grant_type' },
  })
  const once = await code()
  expect((await exchange(once)).status).toBe(200)
  expect(await exchange(once)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('sign-in issues an id token that verifies with the published keys', async () => {
  const { body } = await exchange(await code())
  expect(body).toMatchObject({ token_type: 'Bearer', scope: 'openid email profile' })
  expect(body).not.toHaveProperty('refresh_token')
  const found = (await (
    await fetch(`${sandbox.url}/accounts.google.com/.well-known/openid-configuration`)
  ).json()) as Record<string, string>
  const keys = createRemoteJWKSet(new URL(found['jwks_uri']!))
  const { payload } = await jwtVerify(body['id_token']!, keys, {
    issuer: 'https://accounts.google.com',
    audience: client.client_id,
    algorithms: ['RS256'],
  })
  expect(payload).toMatchObject({
    nonce: 'n-1',
    email: 'mina.hart@gmail.example',
    email_verified: true,
    azp: client.client_id,
    name: 'Mina Hart',
  })
  const info = await fetch(found['userinfo_endpoint']!, {
    headers: { authorization: `Bearer ${body['access_token']}` },
  })
  expect(await info.json()).toMatchObject({ sub: payload.sub, email: 'mina.hart@gmail.example' })
  expect((await fetch(found['userinfo_endpoint']!, { headers: { authorization: 'Bearer none' } })).status).toBe(401)
})

test('another identity can be picked, one of them unverified, and the screen lists them all', async () => {
  const { google } = (await sandbox.control('GET', '/defaults')) as {
    google: { identities: { id: string; email: string; emailVerified: boolean }[] }
  }
  const unverified = google.identities.find((one) => !one.emailVerified)!
  const { body } = await exchange(await code({ as: unverified.id }))
  const claims = JSON.parse(Buffer.from(body['id_token']!.split('.')[1]!, 'base64url').toString()) as Record<
    string,
    unknown
  >
  expect(claims).toMatchObject({ sub: unverified.id, email: unverified.email, email_verified: false })
  const screen = await (await authorize()).text()
  for (const one of google.identities) expect(screen).toContain(one.email)
  const clicked = await fetch(
    `${sandbox.url}/accounts.google.com/o/oauth2/v2/auth?${new URLSearchParams(asked).toString()}`,
    {
      method: 'POST',
      body: new URLSearchParams({ decision: 'approve', as: google.identities[1]!.id }),
      redirect: 'manual',
    },
  )
  expect(new URL(clicked.headers.get('location')!).searchParams.get('state')).toBe('s-1')
})

test('a refresh token comes with offline access at the first consent, later only with prompt=consent', async () => {
  const own = { client_id: 'offline.apps', access_type: 'offline' }
  const take = async (change: Record<string, string>) =>
    (await exchange(await code({ ...own, ...change }), { client_id: own.client_id })).body
  const first = await take({})
  expect(first['refresh_token']).toMatch(/^1\/\//)
  expect(await take({})).not.toHaveProperty('refresh_token')
  expect(await take({ access_type: 'online', prompt: 'consent' })).not.toHaveProperty('refresh_token')
  const again = await take({ prompt: 'consent' })
  const refresh = (token: string) =>
    call('token', { client_id: own.client_id, client_secret: 's', grant_type: 'refresh_token', refresh_token: token })
  const { status, body } = await refresh(again['refresh_token']!)
  expect([status, body['access_token'] !== again['access_token'], body['refresh_token']]).toEqual([
    200,
    true,
    undefined,
  ])

  // Revoking one token ends everything the person granted this client.
  expect((await call('revoke', { token: body['access_token']! })).status).toBe(200)
  expect(await refresh(first['refresh_token']!)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await call('revoke', { token: body['access_token']! })).toMatchObject({
    status: 400,
    body: { error: 'invalid_token' },
  })
  expect((await take({}))['refresh_token']).toMatch(/^1\/\//)
})

test('faults: status answers early, expire-token reaches the handler, and YouTube and sign-in count as two services', async () => {
  await sandbox.fault({ service: 'google', path: '^/token', kind: 'status', status: 503 })
  expect((await exchange(await code())).status).toBe(503)
  const { body } = await exchange(await code())
  await sandbox.fault({ service: 'google', path: '/v1/userinfo', kind: 'expire-token' })
  const info = () =>
    fetch(`${sandbox.url}/openidconnect.googleapis.com/v1/userinfo`, {
      headers: { authorization: `Bearer ${body['access_token']}` },
    })
  expect([(await info()).status, (await info()).status]).toEqual([401, 401])

  await sandbox.fault({ service: 'youtube', path: '^/token', kind: 'status', status: 500 })
  expect((await exchange(await code())).status).toBe(200)
  const scope = 'https://www.googleapis.com/auth/youtube.readonly'
  const tube = await code({ scope })
  expect((await exchange(tube)).status).toBe(500)
  expect((await exchange(tube)).status).toBe(200)
  const requests = (await sandbox.control('GET', '/requests?service=youtube')) as {
    path: string
    status: number
    body: unknown
  }[]
  expect(requests.map((one) => [one.path, one.status])).toEqual([
    ['/o/oauth2/v2/auth', 302],
    ['/token', 500],
    ['/token', 200],
  ])
  expect(requests[1]!.body).toMatchObject({
    code: '[cut]',
    client_secret: '[cut]',
    code_verifier: '[cut]',
    grant_type: 'authorization_code',
  })
})

test('the key and the grants survive a restart', async () => {
  const own = { client_id: 'restart.apps', access_type: 'offline', prompt: 'consent' }
  const { body } = await exchange(await code(own), { client_id: own.client_id })
  const keys = async () => (await (await fetch(`${sandbox.url}/www.googleapis.com/oauth2/v3/certs`)).json()) as unknown
  const before = await keys()
  sandbox = await sandbox.restart()
  expect(await keys()).toEqual(before)
  const form = {
    client_id: own.client_id,
    client_secret: 's',
    grant_type: 'refresh_token',
    refresh_token: body['refresh_token']!,
  }
  expect((await call('token', form)).status).toBe(200)
})
