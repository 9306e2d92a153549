import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpEnv } from '../core/rest.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { openStudio } from '../testing/booking.ts'
import { openSystem } from '../testing/system.ts'
import { pageKey } from './cached-page.ts'
import { mountSites } from './mount.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => await app.stop())

test.each([true, false])(
  'the page cache keeps no 404 of a path without a page, so that made-up paths evict no page (published: %j)',
  async (published) => {
    const { domainName: name, ...artist } = await openStudio(app)
    expect((await artist.post('/api/websitebuilder', { published })).status).toBe(200)
    const { system, close } = await openSystem(app)
    const sites = new Hono<HttpEnv>()
    mountSites(sites, system)
    expect((await sites.request(`/s/${name}/made-up`)).status).toBe(404)
    expect((await sites.request(`/s/${name}`)).status).toBe(published ? 200 : 404)
    expect(system.responses.peek(pageKey(name, ''))).toBeDefined()
    expect(system.responses.peek(pageKey(name, 'made-up'))).toBeUndefined()
    await close()
  },
)
