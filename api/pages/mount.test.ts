import { subscriptions } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
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

test('a booking form that was open when its site was closed is answered with the words that nothing was sent', async () => {
  const studio = await openStudio(app)
  const personalInfo = { name: studio.name, domainName: studio.domainName, phone: '(718) 555-0142' }
  const answerTo = async (method: string) => {
    const body = method === 'POST' ? new URLSearchParams({ name: 'Ida' }) : null
    return await (await app.visitor().fetch(`/s/${studio.domainName}/book`, { method, body })).text()
  }
  const notSent = 'Your request was not sent.'
  await studio.post('/api/websitebuilder', { published: false, personalInfo })
  expect(await answerTo('POST')).toContain(notSent)
  await studio.post('/api/websitebuilder', { published: true })
  await app.client.db.update(subscriptions).set({ status: 'canceled' }).where(eq(subscriptions.userId, studio.id))
  const holding = await answerTo('POST')
  for (const words of [notSent, 'You can still get in touch.', 'href="tel:7185550142"'])
    expect(holding).toContain(words)
  expect(await answerTo('GET')).not.toContain(notSent)
})
