import { suggestedAvailability } from '@flashsheet/contracts/appointments/limits'
import { siteLimits, siteSections } from '@flashsheet/contracts/website/limits'
import { siteMessages } from '@flashsheet/contracts/website/messages'
import type { Site } from '@flashsheet/contracts/website/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist, type Artist } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'

let app: TestApp
let artist: Artist
const name = 'parts-ink'
beforeAll(async () => {
  app = await startTestApp()
  artist = await createArtist(app)
  const personalInfo = { name: 'Ada Inkwell', domainName: name, about: 'Fine lines.', email: 'ada@ink.example' }
  await artist.post('/api/websitebuilder', { personalInfo })
})
afterAll(async () => await app.stop())

const text = async (path: string) => await (await app.visitor().fetch(path)).text()
const page = async () => await text(`/s/${name}`)
const save = async (sections: object) => await artist.post<Site>('/api/websitebuilder', { sections })

test.each([
  ['a part that is not known', { shown: ['work', 'blog'] }, 'shown.1', siteMessages.section],
  ['a part that is shown twice', { shown: ['work', 'work'] }, 'shown', siteMessages.sectionTwice],
  ['a service without a name', { services: [{ price: '$80' }] }, 'services.0.name', siteMessages.serviceName],
  [
    'too long a price',
    { services: [{ name: 'Small', price: 'x'.repeat(siteLimits.price + 1) }] },
    'services.0.price',
    siteMessages.priceTooLong,
  ],
  ['a question without an answer', { questions: [{ question: 'Why?' }] }, 'questions.0.answer', siteMessages.answer],
  [
    'too long an aftercare',
    { aftercare: 'x'.repeat(siteLimits.aftercare + 1) },
    'aftercare',
    siteMessages.aftercareTooLong,
  ],
  [
    'a guest spot without days',
    { guestSpots: [{ place: 'Berlin', from: 'soon', to: '2027-03-01' }] },
    'guestSpots.0.from',
    siteMessages.guestFrom,
  ],
  [
    'a guest spot that ends before it begins',
    { guestSpots: [{ place: 'Berlin', from: '2027-03-02', to: '2027-03-01' }] },
    'guestSpots.0.to',
    siteMessages.guestTo,
  ],
])('refuses %s', async (_what, sections, field, message) => {
  expect(await save(sections)).toMatchObject({ status: 400, body: { fields: { [`sections.${field}`]: message } } })
})

test('refuses too many rows', async () => {
  const services = Array.from({ length: siteLimits.services + 1 }, (_, n) => ({ name: `Piece ${n}` }))
  expect((await save({ services })).status).toBe(400)
})

test('shows the sections that are on and have content, in their order', async () => {
  const { body } = await save({
    shown: ['contact', 'aftercare', 'services', 'guestSpots', 'questions', 'about', 'hours', 'work'],
    services: [{ name: 'Small piece', price: 'from $120', note: 'Up to a hand’s width.' }],
    questions: [{ question: 'Do you do walk-ins?', answer: 'On Fridays.\n\nCome early.' }],
    aftercare: 'Wash it twice a day.',
    guestSpots: [
      { place: 'North Needle, Oslo', from: '2999-05-03', to: '2999-05-09' },
      { place: 'Long gone', from: '2020-05-03', to: '2020-05-09' },
    ],
  })
  expect(body.sections.services).toEqual([{ name: 'Small piece', price: 'from $120', note: 'Up to a hand’s width.' }])
  await expect.poll(page).toContain('from $120')
  const shown = await page()
  const order = [...shown.matchAll(/<section(?: class="\w+")? id="([\w-]+)"/g)].map(([, id]) => id)
  expect(order).toEqual(['contact', 'aftercare', 'services', 'guest-spots', 'questions', 'about'])
  expect(shown).toContain('<dt>May 3 to May 9, 2999</dt><dd><bdi>North Needle, Oslo</bdi></dd>')
  expect(shown).not.toContain('Long gone')
  expect(shown).toContain('<p dir="auto">On Fridays.</p><p dir="auto">Come early.</p>')
})

test('text in a script of another direction keeps its own, and no sentence takes it', async () => {
  const studio = await createArtist(app)
  const word = 'דיו (שחור)'
  const saved = await studio.post('/api/websitebuilder', {
    personalInfo: {
      name: word,
      shopName: word,
      domainName: 'right-to-left',
      about: `${word}.\n\nInk.`,
      email: 'a@ink.example',
    },
    address: { shopAddress: word, city: word },
    sections: {
      shown: [...siteSections],
      services: [{ name: word, price: `${word} 400-600`, note: word }],
      questions: [{ question: word, answer: word }],
      aftercare: word,
      guestSpots: [{ place: word, from: '2999-05-03', to: '2999-05-09' }],
    },
  })
  expect(saved.status).toBe(200)
  for (const path of ['', '/book', '/book?day=2999-01-01', '/book/sent']) {
    const body = (await text(`/s/right-to-left${path}`)).replace(/^.*<body>/s, '')
    expect(body).toContain(word)
    const isolated = /<bdi>.*?<\/bdi>|<(\w+)[^>]* dir="auto"[^>]*>.*?<\/\1>/gs
    expect(body.replaceAll(isolated, '').match(/.*[\u0590-\u05ff].*/)).toBeNull()
  }
})

test('shows the artist’s booking hours, and drops the cached page when they change', async () => {
  await save({ shown: ['hours'] })
  await expect.poll(page).not.toContain('id="about"')
  expect(await page()).not.toContain('id="hours"')
  expect((await artist.put('/api/availability', suggestedAvailability)).status).toBe(200)
  await expect.poll(page).toContain('<dt>Tuesday to Saturday</dt><dd>11:00am to 7:00pm</dd>')
  expect(await page()).toContain('<dt>Sunday</dt><dd>Closed</dd>')
})

test('search engines get the opening hours that visitors see, and none while the section is off', async () => {
  const studio = await createArtist(app)
  const personalInfo = { name: 'Nova Needle', domainName: 'open-hours' }
  const address = { shopAddress: '214 Needle Street', city: 'Brooklyn', state: 'NY', zip: '11249' }
  const shows = async (shown: string[]) =>
    await studio.post('/api/websitebuilder', { personalInfo, address, sections: { shown } })
  const hours = async () => {
    const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await text('/s/open-hours')) ?? []
    const data = JSON.parse(json ?? '{}') as Record<string, unknown>
    return { type: data['@type'], hours: data['openingHoursSpecification'] }
  }
  const on = (dayOfWeek: string, opens: string, closes: string) => ({
    '@type': 'OpeningHoursSpecification',
    dayOfWeek,
    opens,
    closes,
  })
  await shows(['hours'])
  expect(await hours()).toEqual({ type: 'TattooParlor' })
  const weekly = [{ from: 540, to: 720 }, null, { from: 630, to: 1170 }, null, null, null, { from: 660, to: 1140 }]
  expect((await studio.put('/api/availability', { ...suggestedAvailability, weekly })).status).toBe(200)
  await expect.poll(hours).toEqual({
    type: 'TattooParlor',
    hours: [on('Sunday', '09:00', '12:00'), on('Tuesday', '10:30', '19:30'), on('Saturday', '11:00', '19:00')],
  })
  await shows(['contact'])
  await expect.poll(hours).toEqual({ type: 'TattooParlor' })
})

test('search engines get the mail address and phone number that visitors see, and none while the section is off', async () => {
  const studio = await createArtist(app)
  const personalInfo = { name: 'Nova', domainName: 'calls', email: 'nova@ink.example', phone: '+1 718 555 0142' }
  const shows = async (shown: string[]) => {
    await studio.post('/api/websitebuilder', { personalInfo, sections: { shown } })
    return await text('/s/calls')
  }
  expect(await shows(['contact'])).toContain('"email":"nova@ink.example","telephone":"+1 718 555 0142"')
  expect(await shows(['about'])).not.toMatch(/nova@ink|555 0142/)
})

test('other pages have no link to a section that is off', async () => {
  await save({ shown: ['contact', 'about'] })
  await expect.poll(page).toContain('#contact')
  await save({ shown: ['about'] })
  await expect.poll(page).not.toContain('#contact')
  expect(await text(`/s/${name}/book`)).not.toContain('#contact')
})

test('has no Book button while bookings are closed', async () => {
  await save({ shown: ['book', 'services', 'about'], services: [{ name: 'Small piece', price: '$120' }] })
  await expect.poll(page).toContain('id="book"')
  await artist.put('/api/availability', { ...suggestedAvailability, takesBookings: false })
  // Without the styles, which have a rule for the section.
  await expect.poll(async () => (await page()).split('</style>')[1]).not.toMatch(/\bbook\b/i)
  await artist.put('/api/availability', suggestedAvailability)
})

test('escapes what an artist typed in any section', async () => {
  const evil = '<img src=x onerror=alert(1)></script><script>alert(1)</script>'
  await save({
    shown: ['services', 'questions', 'aftercare', 'guestSpots'],
    services: [{ name: evil, price: '<b onclick=x>', note: evil }],
    questions: [{ question: evil, answer: evil }],
    aftercare: evil,
    guestSpots: [{ place: evil, from: '2999-05-03', to: '2999-05-03' }],
  })
  await expect.poll(page).toContain('&lt;img src=x onerror=alert(1)&gt;')
  const shown = await page()
  expect(shown.match(/&lt;img src=x/g)).toHaveLength(6)
  expect(shown).not.toMatch(/<img src=x|<script>alert|<b onclick/)
})
