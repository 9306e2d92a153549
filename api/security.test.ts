import { errorMessages } from '@flashsheet/contracts/errors/messages'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, testPassword } from './testing/actors.ts'
import { startTestApp, type TestApp } from './testing/app.ts'

/** Configured like a server: https, a proxy, no sandbox, rate limits. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    role: 'web',
    env: { PUBLIC_URL: 'https://app.studio.example', RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1,::1,10.0.0.0/8' },
  })
})
afterAll(async () => await app?.stop())

const policyOf = (headers: Headers) =>
  new Map(
    (headers.get('content-security-policy') ?? '')
      .split(';')
      .map((part) => part.trim().split(/\s+/))
      .map(([name = '', ...values]) => [name, values]),
  )

describe('headers', () => {
  test.each([
    '/',
    '/login',
    '/settings',
    '/contact',
    '/healthz',
    '/api/nothing',
    '/api/users/auth',
    '/trpc/auth.me',
    '/files/media/x/y',
    '/favicon.svg',
    '/favicon.ico',
  ])('%s has every security header', async (address) => {
    const { headers } = await app.visitor().fetch(address)
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toMatch(/origin/)
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('x-powered-by')).toBeNull()
    const policy = policyOf(headers)
    expect(policy.get('default-src')).toEqual(["'self'"])
    // Scripts may come only from our own files.
    expect(policy.get('script-src') ?? policy.get('default-src')).toEqual(["'self'"])
    expect(policy.get('style-src')).toEqual(["'self'"])
    expect(policy.get('object-src')).toEqual(["'none'"])
    expect(policy.get('base-uri')).toEqual(["'none'"])
    expect(policy.get('frame-ancestors')).toEqual(["'none'"])
    expect(policy.get('form-action')).toEqual(["'self'"])
    for (const [name, values] of policy) {
      expect(values, name).not.toContain("'unsafe-eval'")
      expect(values, name).not.toContain('*')
      // Overlays are positioned by style attributes.
      if (name !== 'style-src-attr') expect(values, name).not.toContain("'unsafe-inline'")
    }
  })

  test('a page of an artist’s site has every security header', async () => {
    const { headers } = await app.visitor().fetch('/s/nobody-here')
    expect(Object.fromEntries(headers)).toMatchObject({
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(policyOf(headers).get('form-action')).toEqual(["'self'"])
  })

  test('no served page contains an inline script or style', () => {
    const built = fileURLToPath(new URL('../web/dist', import.meta.url))
    const pages = fs.existsSync(built)
      ? fs
          .readdirSync(built, { recursive: true })
          .map(String)
          .filter((file) => file.endsWith('.html'))
      : []
    const sources = [
      ...pages.map((file) => path.join(built, file)),
      fileURLToPath(new URL('../web/index.html', import.meta.url)),
    ]
    for (const file of sources) {
      const html = fs.readFileSync(file, 'utf8')
      for (const [tag] of html.matchAll(/<script\b[^>]*>/g))
        expect(tag, file).toMatch(/\ssrc="\/[^"]*"|type="application\/(ld\+)?json"/)
      expect(html, file).not.toMatch(/<style\b|\son[a-z]+\s*=\s*["']|javascript:/i)
    }
  })
})

describe('cookies behind a proxy', () => {
  const logIn = async (email: string, headers: Record<string, string> = {}, password = testPassword) =>
    await app.visitor().fetch('/api/users/auth', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email, password }),
    })

  test('are Secure, HttpOnly and Lax, also when the proxy speaks plain http to us', async () => {
    const { email } = await createArtist(app)
    const [cookie = ''] = (
      await logIn(email, { 'x-forwarded-proto': 'http', 'x-forwarded-for': '203.0.113.4' })
    ).headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-flashsheet_session=[a-z0-9]{40};/)
    for (const part of [/; Secure/, /; HttpOnly/, /; SameSite=Lax/, /; Path=\//]) expect(cookie).toMatch(part)
    expect(cookie).not.toMatch(/domain=/i)
  })

  test('the cookie that ends a session has the same attributes', async () => {
    const artist = await createArtist(app)
    const response = await artist.fetch('/api/users/logout', { method: 'POST' })
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-flashsheet_session=;.*Secure/)
  })

  test('are accepted only under the __Host- name, which a sibling host cannot set', async () => {
    const artist = await createArtist(app)
    const session = artist.cookies.get('__Host-flashsheet_session') ?? ''
    const asked = async (cookie: string) =>
      (await app.visitor().fetch('/api/users/logout', { method: 'POST', headers: { cookie } })).status
    expect(await asked(`flashsheet_session=${session}`)).toBe(401)
    const [answer] = (await logIn(artist.email)).headers
      .getSetCookie()
      .filter((line) => line.startsWith('__Host-flashsheet_device='))
    expect(answer).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax/)
    expect(await asked(`__Host-flashsheet_session=${session}`)).toBe(200)
  })

  test('the address of a caller is the one that the proxy added, not one that the caller sent', async () => {
    const { email } = await createArtist(app)
    const wrong = async (forwarded: string) => (await logIn(email, { 'x-forwarded-for': forwarded }, 'wrong')).status
    // Whatever addresses the caller invents, all ten attempts count for the address that the proxy added.
    for (let n = 0; n < 10; n++) expect(await wrong(`198.51.100.${n}, 203.0.113.9`)).toBe(401)
    expect(await wrong('192.0.2.77, 203.0.113.9')).toBe(429)
    expect((await logIn(email, { 'x-forwarded-for': '203.0.113.10' })).status).toBe(429)
    const [row] = await app.client.sql<
      { hops: number }[]
    >`select count(*)::int as hops from rate_limits where key like 'failedLoginsPerIp:%'`
    expect(row?.hops).toBe(1)
  })
})

describe('the origin rule', () => {
  test('a log-in with a body that a form could send is refused', async () => {
    const { email, password } = await createArtist(app)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const body = JSON.stringify({ email, password })
      const request = { method: 'POST', body, headers: { 'content-type': type } }
      const refused = await app.visitor().fetch('/api/users/auth', request)
      expect([refused.status, refused.headers.getSetCookie()]).toEqual([400, []])
      expect(await refused.json()).toMatchObject({ message: errorMessages.jsonOnly })
    }
  })

  test.each([
    ['our own', { origin: 'https://app.studio.example' }, 200],
    ['no browser', {}, 200],
    ['another site', { origin: 'https://evil.example' }, 403],
    ['a site whose name begins with ours', { origin: 'https://app.studio.example.evil.example' }, 403],
    ['our name without TLS', { origin: 'http://app.studio.example' }, 403],
    ['a loopback name, since our own name is not one', { origin: 'http://localhost:3000' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['another site according to Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a site of the same domain', { 'sec-fetch-site': 'same-origin' }, 200],
  ])('%s: %o answers %i', async (_what, headers, status) => {
    const artist = await createArtist(app)
    const asked = await artist.post(
      '/api/users/resend-verification',
      { email: artist.email },
      headers as Record<string, string>,
    )
    expect(asked).toMatchObject({ status, ...(status === 403 ? { body: { code: 'origin' } } : {}) })
    const procedure = await artist.fetch('/trpc/auth.cancelEmailChange', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
    })
    expect(procedure.status).toBe(status)
  })

  test('does not apply to reading requests, nor without a session', async () => {
    const artist = await createArtist(app)
    const evil = { origin: 'https://evil.example' }
    expect((await artist.get('/api/subscriptions/current', evil)).status).not.toBe(403)
    expect((await app.visitor().post('/api/users/forgot-password', { email: artist.email }, evil)).status).toBe(200)
  })
})
