import { subscriptions } from '@flashsheet/db/schema/subscription'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => await app.stop())

test('on a smaller plan website and appointments are read-only', async () => {
  const artist = await createArtist(app)
  const other = await createArtist(app, { plan: 'social-line-work' })
  const domainName = `kept-${artist.id.slice(-8)}`
  const saved = await artist.post('/api/websitebuilder', {
    personalInfo: { name: 'Ada Inkwell', domainName, about: 'Fine lines.' },
  })
  expect(saved.status).toBe(200)
  const soon = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
  const book = async (timeSlot: string) =>
    await artist.post<{ _id: string }>('/api/appointments', {
      domainName,
      bookingType: '1 Hour Booking',
      timeSlot,
      date: soon,
      contact: { email: 'client@home.example', phone: '' },
      notes: '',
    })
  const [booked, cancelled] = [await book('11:00am-12:00pm'), await book('2:00pm-3:00pm')]
  expect(booked.status).toBe(201)
  expect((await artist.put(`/api/appointments/${cancelled.body._id}`, { status: 'cancelled' })).status).toBe(200)
  expect((await fetch(`${app.url}/s/${domainName}`)).status).toBe(200)

  await app.client.db.update(subscriptions).set({ plan: 'social-line-work' }).where(eq(subscriptions.userId, artist.id))
  expect(await artist.trpc.website.kept.query()).toMatchObject({
    personalInfo: { domainName, about: 'Fine lines.' },
    published: true,
  })
  expect(await artist.trpc.appointments.kept.query()).toMatchObject([
    { _id: booked.body._id, contact: { email: 'client@home.example' } },
  ])
  for (const [method, path, body] of [
    ['post', '/api/websitebuilder', { personalInfo: { name: 'Changed', domainName } }],
    ['put', `/api/appointments/${booked.body._id}`, { status: 'cancelled' }],
  ] as const) {
    expect(await artist[method](path, body)).toMatchObject({ status: 403, body: { code: 'plan' } })
  }
  // An artist who never had a studio gets nothing, least of all another artist's data.
  expect(await other.trpc.website.kept.query()).toBeNull()
  expect(await other.trpc.appointments.kept.query()).toEqual([])

  await app.client.db.update(subscriptions).set({ plan: 'complete-shading' }).where(eq(subscriptions.userId, artist.id))
  expect((await artist.get('/api/websitebuilder')).body).toMatchObject({
    personalInfo: { domainName, about: 'Fine lines.' },
  })
  expect((await artist.get('/api/appointments')).body).toMatchObject([
    { _id: booked.body._id, status: 'pending' },
    { _id: cancelled.body._id, status: 'cancelled' },
  ])
})
