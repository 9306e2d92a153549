import { suggestedAvailability } from '@flashsheet/contracts/appointments/limits'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { siteLimits } from '@flashsheet/contracts/website/limits'
import { galleryMessages, siteMessages } from '@flashsheet/contracts/website/messages'
import type { GalleryItem } from '@flashsheet/contracts/website/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { eventually } from '../testing/sandbox.ts'
import { openStudio, type Studio } from '../testing/booking.ts'
import { uploadPictures } from '../testing/posting.ts'

let app: TestApp
let studio: Studio
let dagger: string
let rose: string
const evil = '<img src=x onerror=alert(1)>"'
beforeAll(async () => {
  app = await startTestApp({ startAt: '2026-11-21T12:00:00Z' })
  studio = await openStudio(app)
  const [first = '', second = ''] = await uploadPictures(studio, 2, [300, 400])
  dagger = first
  rose = second
  await studio.post('/api/websitebuilder/gallery', { ids: [dagger, rose] })
  await eventually(
    'both pictures are public',
    async () => ((await page()).match(/<a href="\/files\/gallery/g)?.length ?? 0) === 2,
  )
})
afterAll(async () => await app.stop())

const read = async (path: string) => await (await app.visitor().fetch(path)).text()
/** The page without its styles, which mention every section. */
const page = async () => (await read(`/s/${studio.domainName}`)).split('</style>')[1] ?? ''
const book = async (query: string) => await read(`/s/${studio.domainName}/book${query}`)
const mark = async (id: string, flash: object | null) =>
  await studio.put<GalleryItem[]>(`/api/websitebuilder/gallery/${id}/flash`, { flash })
const show = async (shown: string[]) => await studio.post('/api/websitebuilder', { sections: { shown } })
const flashId = (html: string) => /book\?flash=([\w-]+)/.exec(html)?.[1] ?? ''
/** Marks the first picture as flash, and returns the id in its link. */
async function offer(flash: object): Promise<string> {
  await mark(dagger, null)
  await show(['work', 'flash', 'book'])
  await expect.poll(page).not.toContain('id="flash"')
  expect((await mark(dagger, flash)).status).toBe(200)
  await expect.poll(page).toContain('Book this')
  return flashId(await page())
}
async function ask(fields: Record<string, string>): Promise<{ status: number; page: string }> {
  const form = await book('?type=hour&day=2026-12-01')
  const token = /name="token" value="([^"]*)"/.exec(form)?.[1] ?? ''
  app.clock.advance(5000)
  const body = new URLSearchParams({ type: 'hour', day: '2026-12-01', token, email: 'ida@home.example', ...fields })
  const answer = await app.visitor().fetch(`/s/${studio.domainName}/book`, { method: 'POST', body })
  return { status: answer.status, page: await answer.text() }
}
const notesAt = async (timeSlot: string) =>
  (await studio.get<Appointment[]>('/api/appointments')).body.find((one) => one.timeSlot === timeSlot)?.notes

test.each([
  ['a piece without a title', { price: '$80' }, 'flash.title', galleryMessages.flashTitle],
  ['too long a title', { title: 'x'.repeat(siteLimits.line + 1) }, 'flash.title', siteMessages.tooLong],
  [
    'too long a price',
    { title: 'Dagger', price: 'x'.repeat(siteLimits.price + 1) },
    'flash.price',
    siteMessages.priceTooLong,
  ],
])('refuses %s', async (_what, flash, field, message) => {
  expect(await mark(dagger, flash)).toMatchObject({ status: 400, body: { fields: { [field]: message } } })
})

test('another artist’s picture cannot be marked', async () => {
  const other = await createArtist(app)
  const flash = { title: 'Mine now' }
  expect((await other.put(`/api/websitebuilder/gallery/${rose}/flash`, { flash })).status).toBe(404)
  await expect(
    other.trpc.website.setFlash.mutate({ id: rose, flash: { price: '', isTaken: false, ...flash } }),
  ).rejects.toThrow(galleryMessages.notInGallery)
  expect((await studio.trpc.website.gallery.query()).find((one) => one._id === rose)).toMatchObject({ flash: null })
})

test('flash is shown in its section while that is on, under Work while it is off, and changes with the artist’s edits', async () => {
  await offer({ title: 'Dagger', price: '$120' })
  const shown = await page()
  expect(shown).toMatch(/id="flash".*<h3>Dagger<\/h3><p class="price">\$120<\/p>.*Book this/s)
  expect(shown.match(/<a href="\/files\/gallery/g)).toHaveLength(2)
  const { body } = await mark(dagger, { title: 'Dagger', isTaken: true })
  expect(body[0]).toMatchObject({ _id: dagger, flash: { title: 'Dagger', price: '', isTaken: true } })
  await expect.poll(page).toContain('Taken')
  expect(await page()).not.toContain('Book this')
  await show(['work'])
  await expect.poll(page).not.toContain('Dagger')
  expect((await page()).match(/<a href="\/files\/gallery/g)).toHaveLength(2)
  await show(['work', 'flash'])
  await mark(dagger, null)
  await expect.poll(page).not.toContain('id="flash"')
})

test('flash is in the share picture of a site that shows nothing else', async () => {
  await offer({ title: 'Dagger' })
  await show(['flash'])
  await expect.poll(page).not.toContain('id="work"')
  expect(await read(`/s/${studio.domainName}`)).toMatch(/property="og:image" content="[^"]*\/share-/)
})

test('flash has no Book button while bookings are closed', async () => {
  await offer({ title: 'Dagger' })
  await studio.put('/api/availability', { ...suggestedAvailability, takesBookings: false })
  await expect.poll(page).not.toMatch(/\bbook\b/i)
  expect(await page()).toContain('<h3>Dagger</h3>')
  await studio.put('/api/availability', { ...suggestedAvailability, takesBookings: true })
  await expect.poll(page).toContain('Book this')
})

test('a piece of flash is carried through month, type and day to the notes of the request', async () => {
  const id = await offer({ title: 'Dagger', price: '$120' })
  const month = await book(`?flash=${id}`)
  expect(month).toContain('Flash: <b dir="auto">Dagger</b>')
  const links = [...month.matchAll(/href="[^"]*\/book\?([^"]*)"/g)].map(([, query = '']) => query)
  for (const kind of [/^type=full/, /month=2026-12/, /day=2026-11-\d\d/])
    expect(links.filter((query) => kind.test(query))).not.toEqual([])
  expect(links.filter((query) => !query.includes(`flash=${id}`))).toEqual([])
  const day = await book(`?type=hour&day=2026-12-01&flash=${id}`)
  expect(day).toContain('Flash: <b dir="auto">Dagger</b>')
  expect(day).toContain(`<input type="hidden" name="flash" value="${id}">`)
  expect(day).toContain('<button name="month" value="2026-12">Change</button>')
  // Choosing another day keeps the typed values.
  const again = await ask({ flash: id, month: '2026-12', notes: 'Left arm' })
  expect(again.page).toContain(`<input type="hidden" name="flash" value="${id}">`)
  expect((await ask({ flash: id, time: '11:00am-12:00pm', notes: 'Left arm' })).status).toBe(303)
  expect(await notesAt('11:00am-12:00pm')).toBe('Flash: Dagger, $120\nLeft arm')
})

test('an unknown id, another artist’s, and one whose section is off are ignored', async () => {
  const id = await offer({ title: 'Dagger' })
  const other = await openStudio(app)
  expect(await read(`/s/${other.domainName}/book?flash=${id}`)).not.toContain('Flash:')
  expect(await book('?flash=%3Cb%3E')).not.toContain('Flash:')
  expect((await ask({ flash: 'made-up', time: '12:00pm-1:00pm', notes: 'Own idea' })).status).toBe(303)
  expect(await notesAt('12:00pm-1:00pm')).toBe('Own idea')
  await show(['work'])
  await expect.poll(page).not.toContain('id="flash"')
  expect(await book(`?flash=${id}`)).not.toContain('Flash:')
})

test('when a piece was taken while its form was open, the form is shown again with a notice and all values, without the piece', async () => {
  const id = await offer({ title: 'Dagger' })
  await mark(dagger, { title: 'Dagger', isTaken: true })
  const asked = await ask({ flash: id, time: '1:00pm-2:00pm', notes: 'Left arm' })
  expect(asked.status).toBe(409)
  expect(asked.page).toContain('This piece has just been taken.')
  expect(asked.page).toContain('>Left arm</textarea>')
  expect(asked.page).not.toContain('name="flash"')
  expect(await notesAt('1:00pm-2:00pm')).toBeUndefined()
})

test('a piece that was taken meanwhile is named as taken, once, when its link is opened or another day is chosen', async () => {
  const id = await offer({ title: 'Dagger' })
  const taken = 'This piece has been taken in the meantime.'
  for (const query of [`?flash=${id}`, `?type=hour&day=2026-12-01&flash=${id}`])
    expect(await book(query)).not.toContain(taken)
  await mark(dagger, { title: 'Dagger', isTaken: true })
  const month = await ask({ flash: id, month: '2026-12', notes: 'Left arm' })
  const day = await ask({ flash: id, pick: '2026-12-02', notes: 'Left arm' })
  for (const html of [
    await book(`?flash=${id}`),
    await book(`?type=hour&day=2026-12-01&flash=${id}`),
    month.page,
    day.page,
  ]) {
    expect(html).toContain(taken)
    expect(html).not.toContain(id)
  }
  expect(month.page).toContain('value="Left arm"')
  expect(day.page).toContain('>Left arm</textarea>')
  expect((await ask({ pick: '2026-12-02', notes: 'Left arm' })).page).not.toContain(taken)
})

test('escapes what an artist typed, on the page and in the form', async () => {
  const id = await offer({ title: evil, price: evil.slice(0, siteLimits.price) })
  for (const html of [await page(), await book(`?flash=${id}`), await book(`?type=hour&day=2026-12-01&flash=${id}`)]) {
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(html).not.toContain('<img src=x')
  }
})
