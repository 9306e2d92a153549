import type { Site } from '@flashsheet/contracts/website/schema'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import * as http from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../core/log.ts'
import { reconcileClosedSites } from '../features/website/service/public-site.ts'
import { createArtist, type Artist } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { connect } from '../testing/connect.ts'
import { freePorts } from '../testing/ports.ts'
import { start } from '../main.ts'
import { maxListedSites, sitemapIndex } from './feeds.ts'
import { startSystem } from '../wiring.ts'

let app: TestApp
let hosted: TestApp
/** Runs the hourly job on demand. */
let quiet: { settle: () => Promise<void>; minutesLater: (minutes: number) => void; stop: () => Promise<void> }
beforeAll(async () => {
  ;[app, hosted] = await Promise.all([
    startTestApp(),
    startTestApp({ role: 'web', env: { SITES_DOMAIN: 'sites.example' } }),
  ])
  const { system, stop } = await startSystem(app.running.config, {
    databaseUrl: app.running.databaseUrl,
    log: createLogger('silent'),
    isWorker: false,
    now: app.clock.now,
  })
  quiet = {
    settle: async () => await reconcileClosedSites(system),
    minutesLater: (minutes) => app.clock.advance(minutes * 60_000),
    stop: async () => await stop(0),
  }
})
afterAll(async () => {
  await quiet.stop()
  await Promise.all([app.stop(), hosted.stop()])
})

let count = 0
async function openSite(
  body: Record<string, unknown> = {},
  at: TestApp = app,
): Promise<{ artist: Artist; name: string; path: string }> {
  const artist = await createArtist(at)
  const name = `site-${(count += 1)}`
  const { status } = await artist.post('/api/websitebuilder', {
    personalInfo: { name: 'Ada Inkwell', domainName: name, ...(body['personalInfo'] as object) },
    ...Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'personalInfo')),
  })
  expect(status).toBe(200)
  return { artist, name, path: `/s/${name}` }
}
const read = async (path: string, headers: Record<string, string> = {}) => {
  const response = await app.visitor().fetch(path, { headers })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

/** fetch cannot set the Host header. */
async function atHost(
  host: string,
  path: string,
  method = 'GET',
  more: Record<string, string> = {},
): Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }> {
  return await new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port: new URL(hosted.url).port, path, method, headers: { host, ...more } },
      (response) => {
        let body = ''
        response.on('data', (chunk: Buffer) => (body += chunk.toString()))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
      },
    )
    request.on('error', reject)
    request.end()
  })
}

describe('an address', () => {
  test.each([
    '/s/',
    '/s/nobody-has-this',
    '/s/%00',
    '/s/%F0%9F%98%80',
    `/s/${'x'.repeat(3000)}`,
    "/s/';drop table sites;--",
    '/s/..%2f..%2fetc',
  ])('%s is a 404 page', async (path) => {
    const { status, headers, body } = await read(path)
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(body).toContain('There is no site here')
    expect(body).toContain('noindex')
  })

  test('in capitals or with a slash redirects to the canonical address', async () => {
    const { name, path } = await openSite()
    for (const other of [`/s/${name.toUpperCase()}`, `${path}/`]) {
      const { status, headers } = await read(`${other}?from=card`)
      expect([status, headers.get('location')]).toEqual([301, `${path}?from=card`])
    }
  })

  test('that its artist has changed redirects to the new one, for any method, until another artist takes it', async () => {
    const { artist, name, path } = await openSite()
    expect((await read(path)).status).toBe(200)
    const next = `${name}-next`
    const rename = async (domainName: string) =>
      await artist.post('/api/websitebuilder', { personalInfo: { name: 'Ada Inkwell', domainName } })
    await rename(next)
    const asked = async (at: string, method = 'GET') => {
      const response = await app.visitor().fetch(at, { method, redirect: 'manual' })
      return [response.status, response.headers.get('location')]
    }
    await expect.poll(async () => await asked(path)).toEqual([308, `${app.url}/s/${next}`])
    for (const [page, method] of [['/book'], ['/book', 'POST'], ['', 'POST']] as const)
      expect(await asked(path + page, method)).toEqual([308, `${app.url}/s/${next}${page}`])
    expect(await asked(`${path}/book?type=half&day=2026-12-01`)).toEqual([
      308,
      `${app.url}/s/${next}/book?type=half&day=2026-12-01`,
    ])
    expect(await asked(`${path}?from=card`)).toEqual([308, `${app.url}/s/${next}?from=card`])
    expect(await asked(path)).toEqual([308, `${app.url}/s/${next}`])
    expect(await asked(`${path}/%E2%9C%93/%0d%0ax`)).toEqual([
      308,
      expect.stringMatching(/^http:\/\/localhost:\d+\/s\/[\w-]+\/[\w%/-]+$/),
    ])
    await rename(name)
    await expect.poll(async () => await asked(path)).toEqual([200, null])
    await expect.poll(async () => await asked(`/s/${next}`)).toEqual([308, `${app.url}${path}`])
    await app.client
      .sql`update former_site_names set left_at = left_at - interval '31 days' where domain_name = ${next}`
    expect(await asked(`/s/${next}`)).toEqual([308, `${app.url}${path}`])
    const other = await createArtist(app)
    expect((await other.post('/api/websitebuilder', { personalInfo: { name: 'Bo', domainName: next } })).status).toBe(
      200,
    )
    expect(await asked(`/s/${next}`)).toEqual([200, null])
    await app.client.sql`delete from users where id = ${other.id}`
    expect(await asked(`/s/${next}/work`)).toEqual([404, null])
  })

  test('of an unknown page is 404 in the artist’s layout, and a POST is refused', async () => {
    const { path } = await openSite()
    const missing = await read(`${path}/no/such/page`)
    expect(missing).toMatchObject({ status: 404, body: expect.stringContaining('Ada Inkwell') })
    const refused = await app.visitor().fetch(path, { method: 'POST', body: 'x=1' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('a site', () => {
  test('is complete without scripts: name, text, contact details, and a map', async () => {
    const { path } = await openSite({
      personalInfo: {
        shopName: 'Quill & Sons',
        about: 'Fine lines.\nSlow hours.\n\nWalk in on Fridays.',
        email: 'ada@quill.example',
        phone: '(718) 555-0142',
      },
      address: { shopAddress: '214 Needle Street #2', city: 'Brooklyn', state: 'NY', zip: '11249' },
    })
    const { status, body } = await read(path)
    expect(status).toBe(200)
    expect(body).toContain('<h1><bdi>Ada Inkwell</bdi></h1>')
    expect(body).toContain('Quill &amp; Sons')
    expect(body).toContain('<p dir="auto">Fine lines.<br>Slow hours.</p><p dir="auto">Walk in on Fridays.</p>')
    expect(body).toContain('href="mailto:ada@quill.example"')
    expect(body).toContain('href="tel:7185550142"')
    expect(body).toContain(
      'https://www.google.com/maps/search/?api=1&amp;query=214%20Needle%20Street%20%232%2C%20Brooklyn%2C%20NY%2011249',
    )
    expect(body).toContain(`<link rel="canonical" href="${app.url}${path}">`)
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)?.[1] ?? '{}') as Record<
      string,
      unknown
    >
    expect(data).toMatchObject({
      '@type': 'TattooParlor',
      name: 'Quill & Sons',
      telephone: '(718) 555-0142',
      address: { streetAddress: '214 Needle Street #2', postalCode: '11249' },
    })
  })

  test('escapes what an artist typed', async () => {
    const evil = '</script><script>alert(1)</script>"\'><img src=x onerror=alert(1)>'
    const { path } = await openSite({
      personalInfo: { name: evil, shopName: evil, about: evil },
      address: { shopAddress: evil, city: evil, state: evil, zip: evil },
    })
    const { body } = await read(path)
    expect(body).not.toContain('<script>alert')
    expect(body).not.toContain('<img src=x')
    expect(body.match(/<script/g)?.length).toBe(1)
  })

  test('of a person without an address is a Person in structured data', async () => {
    const { path } = await openSite({ address: { city: 'Austin', state: 'TX' } })
    expect((await read(path)).body).toContain('"@type":"Person"')
  })

  test('loads nothing from third parties, has no inline script, sets no cookie and cannot be framed', async () => {
    const { artist, path } = await openSite()
    const response = await artist.fetch(path)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/script-src 'self';/)
    expect(policy).toMatch(/style-src 'sha256-[\w+/=]+';/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain('http')
    expect(response.headers.getSetCookie()).toEqual([])
    const body = await response.text()
    expect(body).not.toMatch(/ style="/)
    expect(body).not.toMatch(/ on\w+="/)
    // Only loaded resources, not links.
    expect([...body.matchAll(/(?:src|srcset)="(https?:[^"]+)"/g)]).toEqual([])
    expect(Buffer.byteLength(body)).toBeLessThan(50_000)
  })

  test('is sent compressed, once per change', async () => {
    const { artist, path } = await openSite()
    const first = await read(path, { 'accept-encoding': 'br' })
    expect([first.headers.get('content-encoding'), first.headers.get('vary')]).toEqual(['br', 'accept-encoding'])
    const known = { 'accept-encoding': 'br', 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await read(path, known)).status).toBe(304)
    expect((await read(path, { ...known, 'accept-encoding': 'br;q=0, gzip' })).status).toBe(200)
    await artist.post('/api/websitebuilder', { address: { city: 'Reno' } })
    await expect.poll(async () => (await read(path, known)).status).toBe(200)
    expect((await read(path)).body).toContain('Reno')
  })

  test('is updated in every process once it is saved in one', async () => {
    const { artist, path } = await openSite()
    const [port] = await freePorts(1)
    const node = await start({ ...app.env, PORT: String(port), PUBLIC_URL: app.url, ROLE: 'web' })
    try {
      const there = async () => await (await fetch(`http://localhost:${port}${path}`)).text()
      expect(await there()).not.toContain('Reno')
      await artist.post('/api/websitebuilder', { address: { city: 'Reno' } })
      // The timeout is shorter than the lifetime of a cache entry.
      await expect.poll(there, { timeout: 10_000 }).toContain('Reno')
    } finally {
      await node.stop()
    }
  })

  test('hidden by its artist, or with its artist deactivated, is not public', async () => {
    const { artist, path } = await openSite()
    expect((await read(path)).status).toBe(200)
    await artist.post('/api/websitebuilder', { published: false })
    await expect.poll(async () => (await read(path)).status).toBe(404)
    expect((await read(path)).body).toContain('This site is not public')
    const other = await openSite()
    expect((await read(other.path)).status).toBe(200)
    const admin = await createArtist(app, { admin: true })
    await admin.trpc.admin.toggleStatus.mutate({ id: other.artist.id })
    // Cached pages are dropped at once, before they expire.
    await expect.poll(async () => (await read(other.path)).status).toBe(404)
    expect((await read(other.path)).body).not.toContain('artist')
  })

  test('is listed in an index of at most 50,000 sitemaps, the one of the app included', () => {
    const sites = Array.from({ length: maxListedSites }, () => ({
      address: 'https://a.example',
      updatedAt: new Date(0),
    }))
    expect(sitemapIndex('https://app.example', sites).body.toString().split('<sitemap>')).toHaveLength(50_001)
  })

  test('has a sitemap for search engines', async () => {
    const { path, name } = await openSite()
    const { body, headers } = await read(`${path}/sitemap.xml`)
    expect(headers.get('content-type')).toContain('application/xml')
    expect(body).toContain(`<loc>${app.url}${path}</loc>`)
    expect((await read('/robots.txt')).body).toContain(`Sitemap: ${app.url}/sitemap.xml`)
    expect((await read('/sitemap.xml')).body).toContain(`/s/${name}/sitemap.xml`)
    const icon = await read(`${path}/favicon.svg`)
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect((await read(`${path}/favicon.ico`)).body).toBe(icon.body)
  })
})

describe('when the plan no longer includes a site', () => {
  test.each([
    ['the subscription was canceled', { status: 'canceled' as const }],
    ['it is unpaid', { status: 'unpaid' as const }],
    ['the plan is the smaller one', { plan: 'social-line-work' as const }],
  ])(
    '%s: shows contact details for 30 days, then 410, and everything again when the artist resubscribes',
    async (_what, change) => {
      const { artist, path } = await openSite({ personalInfo: { about: 'Fine lines.', email: 'ada@quill.example' } })
      const mine = eq(subscriptions.userId, artist.id)
      const [before] = await app.client.db.select().from(subscriptions).where(mine)
      const open = await read(path)
      await app.client.db.update(subscriptions).set(change).where(mine)
      await quiet.settle()
      quiet.minutesLater(2)
      const holding = await read(path)
      expect(holding.status).toBe(200)
      expect(holding.body).toContain('ada@quill.example')
      expect(holding.body).not.toContain('Fine lines.')
      quiet.minutesLater(30 * 1440 - 10)
      await quiet.settle()
      expect((await read(path)).status).toBe(200)
      quiet.minutesLater(20)
      expect((await read(path)).status).toBe(410)
      await app.client.db.update(subscriptions).set({ plan: before!.plan, status: before!.status }).where(mine)
      quiet.minutesLater(2)
      expect((await read(path)).body).toBe(open.body)
      await quiet.settle()
      await app.client.db.update(subscriptions).set(change).where(mine)
      quiet.minutesLater(2)
      expect((await read(path)).status).toBe(200)
    },
  )

  test('hidden contact details stay hidden', async () => {
    const { artist, path } = await openSite({
      personalInfo: { email: 'ada@quill.example', phone: '(718) 555-0142' },
      address: { shopAddress: '214 Needle Street', city: 'Brooklyn', state: 'NY', zip: '11249' },
    })
    await connect(app, artist, 'facebook')
    const [hidden, ...shown] = await artist.trpc.website.links.query()
    if (!hidden || shown.length === 0) throw new Error('two pages are needed')
    await expect.poll(async () => (await read(path)).body).toContain(`Facebook: <bdi>${hidden.name}`)
    await artist.post('/api/websitebuilder', { links: { hidden: ['email', 'address', hidden.id] } })
    await app.client.db.update(subscriptions).set({ status: 'canceled' }).where(eq(subscriptions.userId, artist.id))
    await quiet.settle()
    quiet.minutesLater(2)
    await expect.poll(async () => (await read(path)).body).toContain('This site is taking a break.')
    const { body } = await read(path)
    expect(body).toContain('href="tel:7185550142"')
    for (const { name } of shown) expect(body).toContain(`Facebook: <bdi>${name}`)
    for (const gone of ['ada@quill.example', 'Needle Street', '11249', 'google.com/maps', `<bdi>${hidden.name}`])
      expect(body).not.toContain(gone)
  })

  test('stays open after one failed charge', async () => {
    const { artist, path } = await openSite({ personalInfo: { about: 'Fine lines.' } })
    await app.client.db.update(subscriptions).set({ status: 'past_due' }).where(eq(subscriptions.userId, artist.id))
    expect((await read(path)).body).toContain('Fine lines.')
  })
})

/** A raw HTTP response, without its date. */
async function bare(
  at: TestApp,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; headers: string[]; bytes: string }> {
  return await new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port: new URL(at.url).port, path, method, headers },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const lines = Object.entries(response.headers).flatMap(([name, value]) =>
            name === 'date' ? [] : [`${name}: ${String(value)}`],
          )
          resolve({
            status: response.statusCode ?? 0,
            headers: lines.toSorted(),
            bytes: Buffer.concat(chunks).toString('base64'),
          })
        })
      },
    )
    request.on('error', reject)
    request.end()
  })
}

describe('a page answered from the cache', () => {
  test('is not used for another method, host or path, or a hidden site', async () => {
    const { artist, path, name } = await openSite()
    const own = await openSite({}, hosted)
    for (let twice = 0; twice < 2; twice++) {
      expect((await read(path)).status).toBe(200)
      expect((await bare(hosted, '/', { host: `${own.name}.sites.example` })).status).toBe(200)
    }
    expect((await app.visitor().fetch(path, { method: 'POST' })).status).toBe(405)
    expect((await app.visitor().fetch(path, { method: 'DELETE' })).status).toBe(405)
    expect((await bare(hosted, '/', { host: 'nobody.sites.example' })).status).toBe(404)
    expect((await bare(hosted, '/', { host: `www.${own.name}.sites.example` })).status).toBe(404)
    expect((await bare(hosted, `/s/${own.name}`, { host: `${own.name}.sites.example` })).status).toBe(404)
    expect((await read(`/s/${name.toUpperCase()}`)).status).toBe(301)
    await artist.post('/api/websitebuilder', { published: false })
    expect((await read(path)).status).toBe(404)
    expect((await read(path)).status).toBe(404)
    await artist.post('/api/websitebuilder', { published: true })
    expect((await read(path)).status).toBe(200)
  })

  test.each([
    ['br', 'GET'],
    ['gzip, deflate', 'GET'],
    ['identity', 'GET'],
    ['gzip, br', 'HEAD'],
  ])('equals the first response: %s, %s', async (encoding, method) => {
    const { path } = await openSite({ personalInfo: { about: 'Fine lines. '.repeat(50) } })
    const own = await openSite({}, hosted)
    for (const [at, where, host] of [
      [app, path, new URL(app.url).host],
      [app, `${path}/favicon.svg`, new URL(app.url).host],
      [hosted, '/', `${own.name}.sites.example`],
    ] as const) {
      const headers = { host, 'accept-encoding': encoding }
      const first = await bare(at, where, headers, method)
      expect(first.status).toBe(200)
      expect(first.bytes === '').toBe(method === 'HEAD')
      for (let again = 0; again < 2; again++) expect(await bare(at, where, headers, method)).toEqual(first)
      const etag = first.headers.find((line) => line.startsWith('etag: '))?.slice(6) ?? ''
      const known = await bare(at, where, { ...headers, 'if-none-match': `"other", W/${etag}` }, method)
      expect([known.status, known.bytes]).toEqual([304, ''])
      expect(known.headers).toEqual(first.headers.filter((line) => !line.startsWith('content-length')))
      expect((await bare(at, where, { ...headers, 'if-none-match': '"other"' }, method)).status).toBe(200)
    }
  })

  test('requests for unknown hosts do not evict cached pages permanently', async () => {
    const { path } = await openSite()
    for (let n = 0; n < 40; n++) expect((await bare(app, path, { host: `made-up-${n}.example` })).status).toBe(200)
    expect((await read(path)).status).toBe(200)
  })
})

describe('with SITES_DOMAIN', () => {
  test('a site has its own host, and its path redirects there', async () => {
    const { name } = await openSite({}, hosted)
    const port = new URL(hosted.url).port
    const own = `http://${name}.sites.example:${port}`
    expect((await hosted.visitor().fetch(`/s/${name}`)).headers.get('location')).toBe(own)
    const home = await atHost(`${name}.sites.example:${port}`, '/')
    expect(home.status).toBe(200)
    expect(home.body).toContain(`<link rel="canonical" href="${own}">`)
    expect((await atHost(`${name.toUpperCase()}.SITES.example`, '/')).status).toBe(200)
    expect((await atHost(`${name}.sites.example`, '/robots.txt')).body).toContain(`Sitemap: ${own}/sitemap.xml`)
    expect((await hosted.visitor().get<Site>('/api/websitebuilder')).status).toBe(401)
  })

  test('the app’s cookies are for its own host only, and a site neither sets nor reads one', async () => {
    const { name, artist } = await openSite({}, hosted)
    const login = await hosted.visitor().fetch('/api/users/auth', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: artist.email, password: artist.password }),
    })
    const set = login.headers.getSetCookie()
    expect(set).not.toEqual([])
    for (const cookie of set) expect(cookie).not.toMatch(/;\s*domain=/i)
    const session = set.map((cookie) => cookie.split(';')[0]).join('; ')
    for (const [path, method] of [
      ['/', 'GET'],
      ['/book', 'GET'],
      ['/book/sent', 'GET'],
      ['/book', 'POST'],
      ['/robots.txt', 'GET'],
      ['/no/page', 'GET'],
      ['/api/users/auth', 'POST'],
    ] as const) {
      const plain = await atHost(`${name}.sites.example`, path, method)
      const carried = await atHost(`${name}.sites.example`, path, method, { cookie: session })
      expect([path, plain.headers['set-cookie'], carried.headers['set-cookie'], carried.status]).toEqual([
        path,
        undefined,
        undefined,
        plain.status,
      ])
    }
    expect((await atHost(`${name}.sites.example`, '/', 'GET', { cookie: session })).body).toBe(
      (await atHost(`${name}.sites.example`, '/')).body,
    )
  })

  test('no path of the app exists at a site’s host, and an unknown host is 404', async () => {
    const { name } = await openSite({}, hosted)
    for (const path of ['/api/users/auth', '/trpc/auth.me', '/login', '/healthz', '/files/media/x/y']) {
      const { status, headers } = await atHost(`${name}.sites.example`, path)
      expect([path, status, headers['content-type'], headers['set-cookie']]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
        undefined,
      ])
    }
    expect((await atHost('nobody.sites.example', '/')).status).toBe(404)
    for (const path of ['//evil.example/', '/\\evil.example/', '/book/']) {
      expect((await atHost(`${name}.sites.example`, path)).headers.location ?? '/', path).toMatch(/^\/(?![/\\])/)
    }
    expect((await atHost(`www.${name}.sites.example`, '/')).status).toBe(404)
  })
})
