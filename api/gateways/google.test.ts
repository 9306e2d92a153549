import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGoogleGateway, GoogleError, type GoogleGateway } from './google.ts'

const clientId = 'ours.apps.example'
const now = new Date('2026-11-21T12:00:00Z')
const seconds = now.getTime() / 1000

/** A fake Google: `answer` at the token endpoint, `keys` at the certificates. */
let server: Server
let base: string
let answer: { status: number; body: unknown }
let keys: JWK[]
let keysStatus = 200
let formSent: URLSearchParams
let ours: CryptoKey
let stranger: CryptoKey

beforeAll(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true })
  ours = pair.privateKey
  stranger = (await generateKeyPair('RS256')).privateKey
  keys = [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }]
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const isToken = request.url === '/token'
      if (isToken) formSent = new URLSearchParams(text)
      response.writeHead(isToken ? answer.status : keysStatus, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isToken ? answer.body : { keys }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const gateway = (): GoogleGateway =>
  createGoogleGateway({ clientId, clientSecret: 'secret', hosts: { accounts: base, token: base, certs: base } })

const good = {
  iss: 'https://accounts.google.com',
  aud: clientId,
  azp: clientId,
  sub: '123',
  iat: seconds - 1,
  exp: seconds + 3600,
  nonce: 'n-1',
  email: 'Mina@Gmail.example',
  email_verified: true,
  name: 'Mina Hart',
}
type Claims = { [K in keyof typeof good]?: unknown } & Record<string, unknown>

const signed = async (change: Claims, key: CryptoKey | Uint8Array = ours, alg = 'RS256', kid = 'k1') =>
  await new SignJWT({ ...good, ...change } as JWTPayload).setProtectedHeader({ alg, kid }).sign(key)

async function identify(idToken: unknown, from = gateway()) {
  answer = { status: 200, body: { access_token: 'a', id_token: idToken } }
  return await from.identify({
    code: 'c',
    codeVerifier: 'v',
    redirectUri: 'http://localhost/back',
    isNonce: (nonce) => nonce === 'n-1',
    now,
  })
}

const kindOf = async (asked: Promise<unknown>) => {
  const error: unknown = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof GoogleError ? error.kind : error
}

describe('an id token is rejected', () => {
  test.each<[string, Claims]>([
    ['of another issuer', { iss: 'https://accounts.google.com.evil.example' }],
    ['for another app', { aud: 'theirs.apps.example', azp: 'theirs.apps.example' }],
    ['for several apps', { aud: [clientId, 'theirs.apps.example'] }],
    ['asked for by another app', { azp: 'theirs.apps.example' }],
    ['that ended', { iat: seconds - 4000, exp: seconds - 301 }],
    ['from the future', { iat: seconds + 301, exp: seconds + 3600 }],
    ['that lives longer than a day', { exp: seconds + 86_401 }],
    ['of another sign-in', { nonce: 'n-2' }],
    ['without a nonce', { nonce: undefined }],
    ['without an end', { exp: undefined }],
    ['without a beginning', { iat: undefined }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['without an address', { email: undefined }],
  ])('%s', async (_what, change) => expect(await kindOf(identify(await signed(change)))).toBe('refused'))

  test('with a wrong signature, a shared secret, another algorithm, or without a signature', async () => {
    expect(await kindOf(identify(await signed({}, stranger)))).toBe('refused')
    expect(await kindOf(identify(await signed({}, ours, 'RS256', 'unknown-key')))).toBe('refused')
    const published = new TextEncoder().encode(JSON.stringify(keys[0]))
    expect(await kindOf(identify(await signed({}, published, 'HS256')))).toBe('refused')
    const pss = await generateKeyPair('PS256')
    expect(await kindOf(identify(await signed({}, pss.privateKey, 'PS256')))).toBe('refused')
    expect(await kindOf(identify(new UnsecuredJWT({ ...good }).encode()))).toBe('refused')
    expect(await kindOf(identify('no token at all'))).toBe('refused')
    expect(await kindOf(identify(undefined))).toBe('refused')
  })
})

test('an error of the token endpoint is a refusal; a time-out, or missing keys, means unreachable', async () => {
  const ask = async (status: number, body: unknown) => {
    answer = { status, body }
    return await kindOf(
      gateway().identify({ code: 'c', codeVerifier: 'v', redirectUri: 'r', isNonce: () => true, now }),
    )
  }
  expect(await ask(400, { error: 'invalid_grant' })).toBe('refused')
  expect(await ask(401, { error: 'invalid_client' })).toBe('refused')
  expect(await ask(503, {})).toBe('unreachable')
  expect(await ask(429, {})).toBe('unreachable')
  const nowhere = createGoogleGateway({
    clientId,
    clientSecret: 's',
    hosts: { accounts: base, token: 'http://127.0.0.1:9', certs: base },
  })
  expect(await kindOf(identify('x', nowhere))).toBe('unreachable')
  keysStatus = 500
  expect(await kindOf(identify(await signed({})))).toBe('unreachable')
  keysStatus = 200
})

describe('an id token is accepted', () => {
  test('and identifies the person; the code is sent with the secret and the verifier', async () => {
    expect(await identify(await signed({}))).toEqual({
      subject: '123',
      email: 'Mina@Gmail.example',
      emailVerified: true,
      name: 'Mina Hart',
    })
    expect(Object.fromEntries(formSent)).toEqual({
      code: 'c',
      client_id: clientId,
      client_secret: 'secret',
      redirect_uri: 'http://localhost/back',
      grant_type: 'authorization_code',
      code_verifier: 'v',
    })
  })

  test('with the older issuer, without azp and name, and with clocks five minutes apart', async () => {
    expect(await identify(await signed({ iss: 'accounts.google.com', azp: undefined, name: undefined }))).toMatchObject(
      { subject: '123', name: '' },
    )
    expect(await identify(await signed({ iat: seconds + 299 }))).toMatchObject({ subject: '123' })
    expect(await identify(await signed({ exp: seconds - 299 }))).toMatchObject({ subject: '123' })
  })

  test('but its address counts as verified only with email_verified true', async () => {
    expect(await identify(await signed({ email_verified: false }))).toMatchObject({ emailVerified: false })
    expect(await identify(await signed({ email_verified: undefined }))).toMatchObject({ emailVerified: false })
    expect(await kindOf(identify(await signed({ email_verified: 'true' })))).toBe('refused')
  })
})
