import type { Site } from '@flashsheet/contracts/website/schema'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { connect } from '../testing/connect.ts'
import { uploadPictures } from '../testing/posting.ts'

let app: TestApp
let artist: Artist
const name = 'gallery-ink'
beforeAll(async () => {
  app = await startTestApp()
  artist = await createArtist(app)
  await artist.post('/api/websitebuilder', { personalInfo: { name: 'Ada Inkwell', domainName: name } })
})
afterAll(async () => await app.stop())

const page = async () => await (await app.visitor().fetch(`/s/${name}`)).text()
const preview = async (who: Pick<Artist, 'fetch'>, site: unknown) =>
  await who.fetch('/api/websitebuilder/preview', {
    method: 'POST',
    body: new URLSearchParams({ site: typeof site === 'string' ? site : JSON.stringify(site) }),
  })

describe('the gallery on the page', () => {
  test('shows the pictures in the artist’s order as soon as they are ready, with alt text, sizes and one eager picture', async () => {
    expect(await page()).not.toContain('id="work"')
    const ids = await uploadPictures(artist, 3, [900, 600])
    await artist.post('/api/websitebuilder/gallery', { ids })
    await expect
      .poll(async () => (await page()).match(/<li><a href="\/files\/gallery/g)?.length, { timeout: 15_000 })
      .toBe(3)
    await artist.trpc.website.describeGalleryItem.mutate({ id: ids[2]!, altText: 'A "swallow" & a dagger' })
    await artist.trpc.website.reorderGallery.mutate({ ids: [ids[2]!, ids[0]!, ids[1]!] })
    await expect.poll(page).toContain('alt="A &quot;swallow&quot; &amp; a dagger"')
    const body = await page()
    const images = [...body.matchAll(/<img [^>]*>/g)].map((match) => match[0])
    expect(images[0]).toContain('swallow')
    expect(images.map((image) => /fetchpriority="high"/.test(image))).toEqual([true, false, false])
    expect(images.map((image) => /loading="lazy"/.test(image))).toEqual([false, true, true])
    for (const image of images) expect(image).toMatch(/width="900" height="600"/)
    expect(body).toMatch(/<source type="image\/webp" srcset="\/files\/gallery\/[\w-]+\/320\.webp 320w, /)
    // A wide picture in a square tile is drawn 1.5 times as wide. On a phone the first of an odd number spans the width.
    expect(images.map((image) => /calc\(1\.5 \* \d+vw\)/.exec(image)?.[0])).toEqual([
      'calc(1.5 * 100vw)',
      'calc(1.5 * 50vw)',
      'calc(1.5 * 50vw)',
    ])
    expect(body).toContain('<ul class="sheet gallery">')
    const first = /<a href="(\/files\/gallery[^"]+)"/.exec(body)?.[1] ?? ''
    expect((await app.visitor().fetch(first)).headers.get('content-type')).toBe('image/jpeg')
    expect(await (await app.visitor().fetch(`/s/${name}/sitemap.xml`)).text()).toContain(
      `<image:loc>${app.url}${first}</image:loc>`,
    )
    // Every save notifies search engines.
    const changed = async () =>
      /<lastmod>([^<]+)</.exec(await (await app.visitor().fetch(`/s/${name}/sitemap.xml`)).text())?.[1] ?? ''
    const before = await changed()
    await artist.trpc.website.reorderGallery.mutate({ ids })
    await expect.poll(changed).not.toBe(before)
    expect(body).toContain(`<meta property="og:image" content="${app.url}/s/${name}/share-`)
  })

  test('is in no structured data, sitemap or other part of the page while its section is off', async () => {
    const other = await createArtist(app)
    const personalInfo = { name: 'Bo Ray', domainName: 'quiet-ink', about: 'Fine lines.' }
    await other.post('/api/websitebuilder', { personalInfo })
    await other.post('/api/websitebuilder/gallery', { ids: await uploadPictures(other, 1, [90, 60]) })
    const at = async (path: string) => await (await app.visitor().fetch(`/s/quiet-ink${path}`)).text()
    await expect.poll(async () => await at(''), { timeout: 15_000 }).toContain('/files/gallery/')
    expect(await at('/sitemap.xml')).toContain('/files/gallery/')
    await other.post('/api/websitebuilder', { sections: { shown: ['about', 'flash'] } })
    for (const path of ['', '/sitemap.xml']) expect(await at(path)).not.toContain('/files/gallery/')
  })

  test('links the connected pages with their icons, except hidden ones', async () => {
    const { pages } = await connect(app, artist, 'facebook')
    await expect.poll(page).toContain(`Facebook: <bdi>${pages[0]?.name}</bdi>`)
    expect(await page()).toMatch(
      /href="https:\/\/www\.facebook\.com\/[\w%.-]+" rel="me noopener noreferrer"><svg viewBox="0 0 24 24" aria-hidden="true">/,
    )
    const links = await artist.trpc.website.links.query()
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) expect(link.id).toMatch(/^facebook:\d+$/)
    await artist.post('/api/websitebuilder', { links: { hidden: links.map((link) => link.id) } })
    await expect.poll(page).not.toContain('facebook.com')
    await artist.post('/api/websitebuilder', { links: {} })
    await expect.poll(page).toContain(`Facebook: <bdi>${pages[0]?.name}</bdi>`)
  })

  test('the description is not cut within a character', async () => {
    const { personalInfo } = (await artist.get<Site>('/api/websitebuilder')).body
    await artist.post('/api/websitebuilder', { personalInfo: { ...personalInfo, about: `ab${'🎨'.repeat(100)}` } })
    await expect.poll(page).toContain('🎨…"')
    expect(await page()).not.toContain('\uFFFD')
    // Seven UTF-16 units that are seen as one character.
    const artistEmoji = '👩🏽‍🎨'
    await artist.post('/api/websitebuilder', {
      personalInfo: { ...personalInfo, about: `ab${artistEmoji.repeat(50)}` },
    })
    await expect.poll(page).toContain(`content="ab${artistEmoji.repeat(21)}…"`)
    await artist.post('/api/websitebuilder', { personalInfo })
  })

  test('structured data has the address as it was entered, without a country', async () => {
    await artist.post('/api/websitebuilder', {
      address: { shopAddress: 'Ringstraße 1', city: 'Köln', state: 'NRW', zip: '50667' },
    })
    await expect
      .poll(page)
      .toContain(
        '{"@type":"PostalAddress","streetAddress":"Ringstraße 1","addressLocality":"Köln","addressRegion":"NRW","postalCode":"50667"}',
      )
    await artist.post('/api/websitebuilder', { address: {} })
  })

  test('hidden contact details are not on the page, nor in structured data', async () => {
    const { personalInfo } = (await artist.get<Site>('/api/websitebuilder')).body
    await artist.post('/api/websitebuilder', {
      personalInfo: { ...personalInfo, email: 'ada@ink.example', phone: '+1 718 555 0142' },
      address: { shopAddress: '214 Needle Street', city: 'Brooklyn', state: 'NY', zip: '11249' },
    })
    await expect.poll(page).toContain('214 Needle Street')
    await artist.post('/api/websitebuilder', { links: { hidden: ['email', 'phone', 'address'] } })
    await expect.poll(page).not.toContain('214 Needle Street')
    const body = await page()
    for (const hidden of ['ada@ink.example', '555 0142', '11249', 'google.com/maps', 'streetAddress'])
      expect(body).not.toContain(hidden)
    expect(body).toContain('Brooklyn, NY')
    await artist.post('/api/websitebuilder', { personalInfo, address: {}, links: {} })
  })
})

describe('the preview', () => {
  test('is accessible to the artist only, and may be framed by the app only', async () => {
    expect((await preview(app.visitor(), {})).status).toBe(401)
    const answer = await preview(artist, { branding: { backgroundColor: '#ffffff' } })
    expect([answer.status, answer.headers.get('x-frame-options'), answer.headers.get('cache-control')]).toEqual([
      200,
      'SAMEORIGIN',
      'no-store',
    ])
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    expect(
      (
        await artist.fetch('/api/websitebuilder/preview', {
          method: 'POST',
          body: new URLSearchParams({ site: '{}' }),
          headers: { origin: 'https://evil.example' },
        })
      ).status,
    ).toBe(403)
  })

  test.each(['', 'not json', '[1]', '5', 'null'])('rejects %j', async (site) => {
    expect((await preview(artist, site)).status).toBe(400)
  })

  test('shows the values typed so far, and the saved ones where those are invalid', async () => {
    const saved = await page()
    const answer = await preview(artist, {
      personalInfo: { name: 'Nova Needle', about: 'x'.repeat(3000), email: 'not yet@', domainName: '!!' },
      branding: { backgroundColor: '#12', textColor: '#abcdef' },
      images: { logoImage: { url: '/files/site-images/aaaaaaaaaaaaaaaaaaaaaa' } },
      address: 'nonsense',
    })
    const body = await answer.text()
    expect(body).toContain('<h1><bdi>Nova Needle</bdi></h1>')
    expect(body).toContain('--text:#abcdef')
    expect(body).toContain('--background:#000000')
    expect(body).not.toContain('not yet@')
    expect(await page()).toBe(saved)
    const unchanged = await (await preview(artist, {})).text()
    expect(unchanged).toBe(saved)
  })

  test("never shows another artist's picture", async () => {
    const other = await createArtist(app)
    const form = new FormData()
    form.append('file', new File([new Uint8Array(await picture(300, 300))], 'a.jpg', { type: 'image/jpeg' }))
    const { url } = (await (await other.fetch('/api/websitebuilder/image', { method: 'POST', body: form })).json()) as {
      url: string
    }
    expect(await (await preview(artist, { images: { logoImage: { url } } })).text()).not.toContain(url)
  })
})
