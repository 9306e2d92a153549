import { isDeepStrictEqual } from 'node:util'
import { galleryItems } from '@flashsheet/db/schema/website'
import { inArray } from 'drizzle-orm'
import * as model from './model.ts'
import type { World } from './model.ts'
import type { Run } from './operations.ts'
import { addressAt, readHome, request, visit, sitesDomain, type Process, type Response } from './pages.ts'

export class Violation extends Error {}

type Token = { which: number; artistId: string; id: string; token: string; widths: number[] }

/** What visitors get, compared with the model. */
export class Checks {
  readonly #run: Run
  /** By process, address and encoding: the last page, as it was sent without compression. */
  readonly #seen = new Map<string, { etag: string; body: string }>()
  readonly #tokens = new Map<string, Token>()
  readonly #pictures = new Map<string, string>()

  constructor(run: Run) {
    this.#run = run
  }

  check(isTrue: boolean, ...texts: unknown[]): void {
    if (!isTrue)
      throw new Violation(texts.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'))
  }

  /** The world of these that the product's builder shows. */
  async whichIs(worlds: readonly World[]): Promise<World> {
    const distinct = [...new Map(worlds.map((one) => [JSON.stringify(one), one])).values()]
    if (distinct.length === 1) return distinct[0]!
    const seen = await this.#rows()
    const same = distinct.filter((one) => isDeepStrictEqual(this.#rowsOf(one), seen))
    this.check(
      same.length > 0,
      'no order of the model explains the rows',
      seen,
      ...distinct.map((one) => this.#rowsOf(one)),
    )
    return same[0]!
  }

  #rowsOf({ artists }: World) {
    return artists.map(
      ({ site, gallery, former, isActive, isDeleted, plan, status, takesBookings, media, pictures }) => ({
        plan: `${plan} ${status}`,
        takesBookings,
        files: [...media, ...pictures.map(({ url }) => url)].toSorted(),
        former: former.map(({ name }) => name).toSorted(),
        site: site && [
          site.profile,
          site.published,
          site.place,
          site.images,
          site.layout,
          site.hidden.toSorted(),
          site.sections,
        ],
        gallery: gallery.map(({ id, alt, flash }) => [id, alt, flash && [flash.title, flash.price, flash.isTaken]]),
        isActive: isActive && !isDeleted,
      }),
    )
  }

  async #rows() {
    const { app, artists } = this.#run
    const { sql } = app.client
    const ids = artists.map(({ id }) => id)
    const sites = await sql`select * from sites where user_id in ${sql(ids)}`
    const entries = await sql`select * from gallery_items where user_id in ${sql(ids)} order by position, id`
    const plans = await sql`select user_id, plan, status from subscriptions where user_id in ${sql(ids)}`
    const hours = await sql`select user_id, takes_bookings from booking_hours where user_id in ${sql(ids)}`
    const files = await sql`select user_id, id::text from media_items where user_id in ${sql(ids)}
      union all select user_id, '/files/site-images/' || id from site_images where user_id in ${sql(ids)}`
    const former =
      await sql`select user_id, domain_name from former_site_names where user_id in ${sql(ids)} order by domain_name`
    const people = await sql`select id, is_active from users where id in ${sql(ids)}`
    const url = (id: string | null) => (id === null ? null : `/files/site-images/${id}`)
    return ids.map((id) => {
      const isOwn = (one: Record<string, unknown>) => one['user_id'] === id
      const row = sites.find(isOwn)
      const plan = plans.find(isOwn)
      return {
        plan: `${plan?.['plan'] === 'complete-shading' ? 'studio' : 'small'} ${plan?.['status']}`,
        takesBookings: hours.find(isOwn)?.['takes_bookings'] ?? true,
        files: files
          .filter(isOwn)
          .map((one) => one['id'] as string)
          .toSorted(),
        former: former.filter(isOwn).map((one) => one['domain_name'] as string),
        site: row && [
          {
            name: row['name'],
            shopName: row['shop_name'],
            domainName: row['domain_name'],
            about: row['about'],
            email: row['email'],
            phone: row['phone'],
          },
          row['published'],
          { shopAddress: row['shop_address'], city: row['city'], state: row['state'], zip: row['zip'] },
          {
            logoImage: url(row['logo_image_id']),
            backgroundImage: url(row['background_image_id']),
            profileImage: url(row['profile_image_id']),
          },
          row['layout'],
          (row['hidden_links'] as string[]).toSorted(),
          row['sections'] ?? {
            shown: ['work', 'about', 'book', 'contact'],
            services: [],
            questions: [],
            aftercare: '',
            guestSpots: [],
          },
        ],
        gallery: entries
          .filter(isOwn)
          .map((one) => [
            one['media_id'],
            one['alt_text'],
            one['flash'] && [one['flash'].title, one['flash'].price, one['flash'].isTaken],
          ]),
        isActive: people.find((one) => one['id'] === id)?.['is_active'] ?? false,
      }
    })
  }

  /** Reads while changes are made: the page must be of an artist who has the name, before or after. */
  async duringChanges(): Promise<void> {
    const { random, processes, names } = this.#run
    const reads = Array.from({ length: 4 }, () => ({ at: random.pick(processes), name: random.pick(names) }))
    const pages = await Promise.all(reads.map(async ({ at, name }) => await request(at, addressAt(at, name))))
    for (const { status, body } of pages) {
      this.check([200, 404, 308, 410, 503].includes(status), 'a page was answered', status, body)
      const owners = new Set([...body.matchAll(/Artist(\d) /g)].map((one) => one[1]))
      this.check(owners.size <= 1, 'a page shows two artists', body)
    }
  }

  async everything(laterMs: number): Promise<void> {
    const { processes } = this.#run
    await Promise.all([this.#learnFiles(), ...processes.map(async ({ caughtUp }) => await caughtUp())])
    await Promise.all([...processes.map(async (one) => await this.process(one, laterMs)), this.#files()])
  }

  /** Every address in one process. `laterMs`: the last step of the clock, which a cached page may miss for a minute. */
  async process(process: Process, laterMs: number): Promise<void> {
    await Promise.all(this.#run.names.map(async (name) => await this.#address(process, name, laterMs)))
  }

  async #address(process: Process, name: string, laterMs: number): Promise<void> {
    const { random, world, app, processes } = this.#run
    // Drawn before the first request, so that a seed repeats them.
    const [encoding, method, readsAll] = [
      random.pick(['', 'gzip', 'br']),
      random.pick(['GET', 'GET', 'HEAD']),
      random.oneIn(6),
    ]
    const now = app.clock.now().getTime()
    const where = `${name} in process ${processes.indexOf(process)}`
    const page = await visit(process, addressAt(process, name))
    const problems = [now, now - Math.min(laterMs, 60_000)].map((at) =>
      this.#compare(process, name, page, model.visit(world, name, at), at),
    )
    this.check(problems.includes(''), where, problems[0])
    await this.#conditional(process, name, page, { encoding, method })
    if (readsAll) await this.#otherPages(process, name, page, model.visit(world, name, now), where)
  }

  /** '' if the page is the expected one. */
  #compare(process: Process, name: string, page: Response, found: model.Found, at: number): string {
    const { app, world } = this.#run
    const status = { none: 404, hidden: 404, gone: 410, moved: 308, open: 200, holding: 200 }[found.state]
    if (page.status !== status) return `answers ${page.status}, not ${status} (${found.state})`
    const titles = { none: 'There is no site here', hidden: 'This site is not public', gone: 'This site is gone' }
    if (found.state === 'none' || found.state === 'hidden' || found.state === 'gone')
      return page.body.includes(titles[found.state]) ? '' : `does not say: ${titles[found.state]}`
    if (found.state === 'moved') {
      const { port } = new URL(app.url)
      const to =
        process.addressing === 'host' ? `http://${found.to}.${sitesDomain}:${port}` : `${app.url}/s/${found.to}`
      return page.headers.location === to ? '' : `moved to ${page.headers.location}, not ${to}`
    }
    if (!('artist' in found)) return ''
    const shown = model.shown(found.artist, at)
    const { profile, hidden } = found.artist.site!
    const foreign = world.artists
      .flatMap((_, which) => (which === found.which ? [] : [`Artist${which} `]))
      .find((text) => page.body.includes(text))
    if (foreign) return `shows another artist: ${foreign}`
    for (const [what, value] of [
      ['email', profile.email],
      ['phone', profile.phone],
    ] as const)
      if (value !== '' && hidden.includes(what) && page.body.includes(value)) return `shows the hidden ${what}`
    if (found.state === 'holding')
      return page.body.includes('taking a break') &&
        page.body.includes(profile.name) &&
        !page.body.includes('id="work"')
        ? ''
        : 'is not the holding page'
    const seen = readHome(page.body)
    if (JSON.stringify(seen) !== JSON.stringify(shown)) {
      const different = (Object.keys(shown) as (keyof model.Shown)[]).filter(
        (key) => JSON.stringify(seen[key]) !== JSON.stringify(shown[key]),
      )
      return different
        .map((key) => `${key}: ${JSON.stringify(seen[key])}, not ${JSON.stringify(shown[key])}`)
        .join('; ')
    }
    return this.#leaks(found.which, page, shown)
  }

  /** Texts and pictures that the page's parts do not show are nowhere else in it. */
  #leaks(which: number, page: Response, shown: model.Shown): string {
    const artist = this.#run.world.artists[which]!
    const { email, phone } = artist.site!.profile
    for (const value of [email, phone])
      if (value && !shown.sections.includes('contact') && page.body.includes(value))
        return `contains ${value}, although the section is off`
    for (const { token, artistId, id } of this.#tokens.values()) {
      if (!page.body.includes(token)) continue
      const entry = artistId === this.#run.artists[which]!.id ? artist.gallery.find((one) => one.id === id) : undefined
      if (!entry) return `contains a picture that is not in the gallery: ${token}`
      if (entry.flash === null && !shown.sections.includes('work'))
        return `contains a picture whose section is off: ${token}`
    }
    for (const [url, artistId] of this.#pictures)
      if (
        page.body.includes(url) &&
        !(artistId === this.#run.artists[which]!.id && Object.values(artist.site!.images).includes(url))
      )
        return `contains a picture of the site that is not chosen: ${url}`
    return ''
  }

  /** Asks again with the ETag of the last page. */
  async #conditional(
    process: Process,
    name: string,
    page: Response,
    { encoding, method }: { encoding: string; method: string },
  ): Promise<void> {
    const { processes } = this.#run
    const key = `${processes.indexOf(process)} ${name} ${encoding}`
    const known = this.#seen.get(key)
    const headers: Record<string, string> = encoding ? { 'accept-encoding': encoding } : {}
    const again = await visit(process, addressAt(process, name), {
      method,
      headers: known ? { ...headers, 'if-none-match': known.etag } : headers,
    })
    if (again.status === 304)
      this.check(known?.body === page.body && page.status === 200, key, '304, but the page has changed')
    else {
      this.check(again.status === page.status, key, `a repeat is answered ${again.status}, not ${page.status}`)
      if (known && page.status === 200)
        this.check(known.body !== page.body, key, 'sent again, although it has not changed')
    }
    this.check(/max-age=0|no-store/.test(again.headers['cache-control'] ?? ''), key, again.headers)
    const etag = again.headers.etag
    if (etag !== undefined) this.#seen.set(key, { etag, body: page.body })
  }

  async #otherPages(process: Process, name: string, home: Response, found: model.Found, where: string): Promise<void> {
    for (const path of ['book', 'sitemap.xml', 'robots.txt', 'favicon.svg', 'nothing']) {
      const page = await visit(process, addressAt(process, name, path))
      const status = path === 'nothing' && home.status === 200 && found.state === 'open' ? 404 : home.status
      this.check(page.status === status, where, `${path} is answered ${page.status}, not ${status}`)
      if (found.state === 'moved')
        this.check(page.headers.location === `${home.headers.location}/${path}`, where, page.headers)
      if (found.state !== 'open' || page.status !== 200) continue
      if (path === 'sitemap.xml') {
        for (const { token } of this.#tokens.values())
          this.check(
            page.body.includes(token) === home.body.includes(`${token}/`),
            where,
            `sitemap and page differ: ${token}`,
          )
      }
      if (path === 'book')
        this.check(page.body.includes(found.artist.site!.profile.name), where, 'the form is of another artist')
    }
    if (process.addressing === 'host') return
    const booked = await visit(process, { path: `/api/appointments/booked?domainName=${name}&date=2030-01-01` })
    this.check(
      booked.status === (found.state === 'open' ? 200 : 404),
      where,
      `booked times are answered ${booked.status}`,
    )
    const share = /og:image" content="[^"]*\/(share-[\w-]+\.jpg)"/.exec(home.body)?.[1]
    if (share === undefined || found.state !== 'open') return
    const picture = await visit(process, addressAt(process, name, share))
    this.check(picture.status === 200, where, `the share picture is answered ${picture.status}`)
  }

  async #learnFiles(): Promise<void> {
    const { app, artists, world } = this.#run
    const rows = await app.client.db
      .select()
      .from(galleryItems)
      .where(
        inArray(
          galleryItems.userId,
          artists.map(({ id }) => id),
        ),
      )
    for (const { token, userId, mediaId, renditions } of rows)
      this.#tokens.set(token, {
        which: artists.findIndex(({ id }) => id === userId),
        artistId: userId,
        id: mediaId,
        token,
        widths: renditions?.sizes.map(({ width }) => width) ?? [],
      })
    for (const [which, { pictures }] of world.artists.entries())
      for (const { url } of pictures) this.#pictures.set(url, artists[which]!.id)
    const current = new Set(rows.map(({ token }) => token))
    for (const one of this.#tokens.values()) if (!current.has(one.token)) one.id = ''
  }

  /** A sample of the files: public while their site is, and in the gallery. */
  async #files(): Promise<void> {
    const { random, processes, artists, world } = this.#run
    const at = random.pick(processes)
    const isOpen = (artistId: string) => {
      const which = artists.findIndex((one) => one.id === artistId)
      return which !== -1 && model.isOpen(world.artists[which]!)
    }
    const isShown = ({ artistId, id }: Token) =>
      isOpen(artistId) && world.artists.some(({ gallery }) => gallery.some((one) => one.id === id))
    const tokens = [...this.#tokens.values()].filter(({ widths }) => widths.length > 0)
    const sample = [
      ...(tokens.length > 0 ? [random.pick(tokens)] : []).map((one) => ({
        path: `/files/gallery/${one.token}/${random.pick(one.widths)}.webp`,
        isPublic: isShown(one),
      })),
      ...(this.#pictures.size > 0 ? [random.pick([...this.#pictures])] : []).map(([path, artistId]) => ({
        path,
        isPublic: isOpen(artistId) && world.artists.some(({ pictures }) => pictures.some(({ url }) => url === path)),
      })),
    ]
    for (const { path, isPublic } of sample) {
      const { status } = await visit(at, { path })
      this.check(status === (isPublic ? 200 : 404), `${path} is answered ${status}`)
    }
  }
}
