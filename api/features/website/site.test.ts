import { sitePalettes } from '@flashsheet/contracts/site-design'
import { siteMessages } from '@flashsheet/contracts/website/messages'
import type { Site } from '@flashsheet/contracts/website/schema'
import { users } from '@flashsheet/db/schema/auth'
import { sites } from '@flashsheet/db/schema/website'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
import { eventually } from '../../testing/sandbox.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => await app.stop())

const path = '/api/websitebuilder'
let names = 0
const freshName = () => `ink-${(names += 1)}-${Date.now().toString(36)}`
const who = (domainName: string, more: Record<string, unknown> = {}) => ({
  personalInfo: { name: 'Ada Inkwell', domainName, ...more },
})

describe('the builder', () => {
  test.each([
    ['no domain name', { personalInfo: { name: 'Ada' } }, 'personalInfo.domainName', siteMessages.domainNameRequired],
    ['a blank one', who('  '), 'personalInfo.domainName', siteMessages.domainNameRequired],
    ['no name', { personalInfo: { domainName: 'ada-ink' } }, 'personalInfo.name', siteMessages.nameRequired],
    ['nothing at all', {}, 'personalInfo.domainName', siteMessages.domainNameRequired],
    ['two letters', who('ab'), 'personalInfo.domainName', siteMessages.domainNameForm],
    ['41 letters', who('a'.repeat(41)), 'personalInfo.domainName', siteMessages.domainNameForm],
    ['capitals', who('Ada-Ink'), 'personalInfo.domainName', siteMessages.domainNameForm],
    ['a hyphen at the end', who('ada-'), 'personalInfo.domainName', siteMessages.domainNameForm],
    ['a name in another script', who('xn--80ak6aa92e'), 'personalInfo.domainName', siteMessages.domainNameForm],
    ['a dot', who('ada.ink'), 'personalInfo.domainName', siteMessages.domainNameForm],
    ['a reserved name', who('admin'), 'personalInfo.domainName', siteMessages.domainNameReserved],
    ['too long an about', who('ada-ink', { about: 'x'.repeat(2001) }), 'personalInfo.about', siteMessages.aboutTooLong],
    ['no email address', who('ada-ink', { email: 'ada' }), 'personalInfo.email', siteMessages.email],
    ['no number', who('ada-ink', { phone: 'javascript:alert(1)' }), 'personalInfo.phone', siteMessages.phone],
    [
      'no colour',
      { ...who('ada-ink'), branding: { textColor: 'url(x)' } },
      'branding.textColor',
      'Please choose a colour such as #b3241c.',
    ],
    ['no layout', { ...who('ada-ink'), design: { layout: 'masonry' } }, 'design.layout', siteMessages.layout],
    ['no palette', { ...who('ada-ink'), design: { palette: 'neon' } }, 'design.palette', siteMessages.palette],
    [
      "somebody's picture",
      { ...who('ada-ink'), images: { logoImage: { url: 'https://evil.example/a.png' } } },
      'images.logoImage',
      siteMessages.imageUnknown,
    ],
    [
      'an upload that is not there',
      { ...who('ada-ink'), images: { logoImage: { url: `/files/site-images/${'a'.repeat(22)}` } } },
      'images.logoImage',
      siteMessages.imageUnknown,
    ],
  ])('refuses %s', async (_what, body, field, message) => {
    const artist = await createArtist(app)
    expect(await artist.post(path, body)).toMatchObject({
      status: 400,
      body: { message, fields: { [field]: message } },
    })
    expect((await artist.get<Site>(path)).body.personalInfo.domainName).toBe('')
  })

  test('begins with the artist’s name and the default colours', async () => {
    const artist = await createArtist(app, { name: 'Ada Inkwell' })
    expect(await artist.get(path)).toMatchObject({
      status: 200,
      body: {
        gallery: [],
        published: false,
        personalInfo: { name: 'Ada Inkwell', shopName: '', domainName: '', about: '', email: '', phone: '' },
        address: { shopAddress: '', city: '', state: '', zip: '' },
        branding: { backgroundColor: '#000000', textColor: '#ffffff', buttonColor: '#ff0000', hoverColor: '#8b0000' },
        images: { logoImage: null, backgroundImage: null, profileImage: null },
        design: { layout: 'gallery', palette: null },
        links: { hidden: [] },
      },
    })
  })

  test('a new palette sets its colours unless colours are sent with it or later; the same palette sets none', async () => {
    const artist = await createArtist(app)
    const custom = { backgroundColor: '#112233', textColor: '#ffffff', buttonColor: '#ff0000', hoverColor: '#8b0000' }
    const send = async (body: object) => (await artist.post<Site>(path, body)).body
    expect(await send({ ...who(freshName()), design: { layout: 'portrait', palette: 'moss' } })).toMatchObject({
      design: { layout: 'portrait', palette: 'moss' },
      branding: sitePalettes.moss.colors,
    })
    expect(await send({ branding: custom })).toMatchObject({ design: { palette: 'moss' }, branding: custom })
    expect(await send({ design: { layout: 'flash', palette: 'moss' } })).toMatchObject({
      design: { layout: 'flash', palette: 'moss' },
      branding: custom,
    })
    expect(await send({ design: { palette: 'rose' }, branding: custom })).toMatchObject({
      design: { layout: 'gallery', palette: 'rose' },
      branding: custom,
    })
    expect(await send({ design: { palette: 'bone' } })).toMatchObject({ branding: sitePalettes.bone.colors })
    expect(await send({ design: {} })).toMatchObject({
      design: { layout: 'gallery', palette: null },
      branding: sitePalettes.bone.colors,
    })
  })

  test('a sent section replaces the stored one, others remain; REST and tRPC answer the same', async () => {
    const artist = await createArtist(app)
    const domainName = freshName()
    const first = await artist.post<Site>(path, {
      ...who(domainName, { about: 'Fine lines.', phone: '(718) 555-0142' }),
      address: { city: 'Brooklyn', state: 'NY' },
    })
    expect(first).toMatchObject({
      status: 200,
      body: {
        published: true,
        personalInfo: { domainName, about: 'Fine lines.', phone: '(718) 555-0142' },
        address: { shopAddress: '', city: 'Brooklyn' },
      },
    })
    const second = await artist.post<Site>(path, { branding: { backgroundColor: '#FFF', buttonColor: 'red' } })
    expect(second.body).toEqual({
      ...first.body,
      branding: { backgroundColor: '#ffffff', textColor: '#ffffff', buttonColor: '#ff0000', hoverColor: '#8b0000' },
    })
    expect(await artist.trpc.website.site.query()).toEqual(second.body)
    expect((await artist.get(path)).body).toEqual(second.body)
  })

  test('a save with a domain name publishes, published: false hides, and other saves leave it as it is', async () => {
    const artist = await createArtist(app)
    const me = who(freshName())
    expect((await artist.post<Site>(path, { ...me, published: false })).body.published).toBe(false)
    expect((await artist.post<Site>(path, { address: { city: 'Austin' } })).body.published).toBe(false)
    expect((await artist.post<Site>(path, me)).body.published).toBe(true)
    expect((await artist.post<Site>(path, { published: false })).body.published).toBe(false)
    expect((await artist.post<Site>(path, { published: true })).body.published).toBe(true)
  })

  test('a name belongs to the first artist who takes it; once given up it is reserved for 30 days', async () => {
    const artists = await Promise.all([1, 2, 3, 4].map(async () => await createArtist(app)))
    const name = freshName()
    const answers = await Promise.all(artists.map(async (artist) => await artist.post(path, who(name))))
    expect(answers.map((answer) => answer.status).filter((status) => status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(3)
    const winner = artists[answers.findIndex((answer) => answer.status === 200)]!
    const loser = artists[answers.findIndex((answer) => answer.status === 409)]!
    expect(answers.find((answer) => answer.status === 409)?.body).toMatchObject({
      message: siteMessages.domainNameTaken,
      fields: { 'personalInfo.domainName': siteMessages.domainNameTaken },
    })
    expect(await loser.trpc.website.checkDomainName.query({ domainName: name })).toMatchObject({
      free: false,
      message: siteMessages.domainNameTaken,
    })
    expect(await winner.trpc.website.checkDomainName.query({ domainName: name })).toEqual({
      free: true,
      message: null,
      address: `${app.url}/s/${name}`,
    })
    await winner.post(path, who(freshName()))
    expect(await loser.trpc.website.checkDomainName.query({ domainName: name })).toMatchObject({ free: false })
    expect(await loser.post(path, who(name))).toMatchObject({
      status: 409,
      body: { message: siteMessages.domainNameTaken },
    })
    expect(await winner.trpc.website.checkDomainName.query({ domainName: name })).toMatchObject({ free: true })
    await app.client
      .sql`update former_site_names set left_at = left_at - interval '30 days 1 minute' where domain_name = ${name}`
    expect(await loser.trpc.website.checkDomainName.query({ domainName: name })).toMatchObject({ free: true })
    expect((await loser.post(path, who(name))).status).toBe(200)
    expect(await winner.post(path, who(name))).toMatchObject({ status: 409 })
  })

  test('a name cannot be taken while its artist is giving it up', async () => {
    const [owner, other] = await Promise.all([createArtist(app), createArtist(app)])
    const name = freshName()
    await owner.post(path, who(name))
    for (let n = 0; n < 5; n++) {
      const [left, wanted] = await Promise.all([owner.post(path, who(freshName())), other.post(path, who(name))])
      expect([left.status, wanted.status]).toEqual([200, 409])
      expect((await owner.post(path, who(name))).status).toBe(200)
    }
  })

  test("an artist's newest five former addresses redirect", async () => {
    const artist = await createArtist(app)
    const names = Array.from({ length: 7 }, freshName)
    for (const name of names) await artist.post(path, who(name))
    const answers = await Promise.all(
      names.map(async (name) => (await app.visitor().fetch(`/s/${name}`, { redirect: 'manual' })).status),
    )
    expect(answers).toEqual([404, 308, 308, 308, 308, 308, 200])
  })

  test('spaces around an email address are removed', async () => {
    const artist = await createArtist(app)
    const saved = await artist.post<Site>(path, who(freshName(), { email: ' ada@studio.example ' }))
    expect([saved.status, saved.body.personalInfo.email]).toEqual([200, 'ada@studio.example'])
  })

  test('concurrent first saves create one site', async () => {
    const artist = await createArtist(app)
    const answers = await Promise.all([1, 2, 3].map(async () => await artist.post(path, who(freshName()))))
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
    expect((await artist.get<Site>(path)).body.personalInfo.domainName).not.toBe('')
  })

  test('concurrent saves of different sections lose none', async () => {
    const artist = await createArtist(app)
    await artist.post(path, who(freshName()))
    const sections = {
      address: { shopAddress: '12 Grand St', city: 'Brooklyn', state: 'NY', zip: '11211' },
      links: { hidden: ['email'] },
      design: { layout: 'portrait', palette: null },
    }
    await Promise.all(
      Object.entries(sections).map(async ([name, values]) => await artist.post(path, { [name]: values })),
    )
    expect((await artist.get<Site>(path)).body).toMatchObject(sections)
  })

  test('a site is deleted with its artist', async () => {
    const artist = await createArtist(app)
    const me = who(freshName())
    await artist.post(path, me)
    await app.client.db.delete(users).where(eq(users.id, artist.id))
    expect((await app.visitor().fetch(`/s/${me.personalInfo.domainName}`)).status).toBe(404)
  })
})

test('a save during which the site is closed does not forget when that was', async () => {
  const artist = await createArtist(app)
  expect((await artist.post(path, who(freshName()))).status).toBe(200)
  const { db } = app.client
  const closedAt = new Date('2026-11-02T12:00:00Z')
  const mine = eq(sites.userId, artist.id)
  const saving = await db.transaction(async (tx) => {
    await tx.update(sites).set({ closedAt }).where(mine)
    const save = artist.post(path, { personalInfo: who(freshName()).personalInfo })
    await eventually('the save to wait', async () => (await lockWaits(app.client, 'sites')) > 0)
    return { save }
  })
  expect((await saving.save).status).toBe(200)
  expect((await db.select({ closedAt: sites.closedAt }).from(sites).where(mine))[0]).toEqual({ closedAt })
})
