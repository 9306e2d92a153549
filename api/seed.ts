import { demoAccounts, demoPassword, type DemoAccount } from '@flashsheet/db/seed/demo-accounts'
import { crowd, type CrowdEntry } from '@flashsheet/db/seed/crowd'
import { seedBookings } from '@flashsheet/db/seed/bookings'
import { flash, flashSvg } from '@flashsheet/db/seed/flash'
import { bannerSvg, demoFlash, demoSite, drawingAltTexts, logoSvg, portraitSvg } from '@flashsheet/db/seed/site'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { Temporal } from 'temporal-polyfill'
import type { System } from './core/context.ts'
import { makeAdmin } from './features/admin/service/manage-users.ts'
import { countUsers } from './features/auth/service/demo-logins.ts'
import { seedCrowd } from './seed-crowd.ts'

type Json = Record<string, unknown>

/** An HTTP client with cookies, which uses the product like a browser. */
class Person {
  readonly origin: string
  readonly cookies = new Map<string, string>()

  constructor(origin: string) {
    this.origin = origin
  }

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const target = new URL(url, this.origin)
    const headers = new Headers(init.headers)
    const isOwn = target.origin === this.origin
    if (isOwn) headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(target, { redirect: 'manual', ...init, headers })
    if (isOwn) {
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        this.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
      }
    }
    return response
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const isForm = body instanceof FormData
    const response = await this.fetch(path, {
      method,
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(body === undefined || isForm ? {} : { headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
    return JSON.parse(text) as T
  }

  /** Follows redirects like a browser, and approves every page of the sandbox. */
  async followRedirects(url: string, sandboxUrl: string): Promise<void> {
    let next = url
    for (let hop = 0; hop < 12; hop++) {
      const target = new URL(next, this.origin)
      if (target.origin === new URL(sandboxUrl).origin) target.searchParams.set('auto', 'approve')
      const response = await this.fetch(target.toString())
      const location = response.headers.get('location')
      if (!location) return
      next = new URL(location, target).toString()
    }
    throw new Error(`too many redirects from ${url}`)
  }
}

/**
 * Creates the demo accounts in an empty database, through the product's HTTP API and the sandbox's pages. Does nothing
 * without the sandbox, or when there are users. `accounts` and `entries` are a part of the demonstration, for tests.
 */
export async function seedDemo(
  system: System,
  onStep: (text: string) => void = () => {},
  {
    accounts = demoAccounts,
    entries = crowd,
  }: { accounts?: readonly DemoAccount[]; entries?: readonly CrowdEntry[] } = {},
): Promise<void> {
  const { sandbox } = system.config
  if (!sandbox || (await countUsers(system)) > 0) return
  onStep('Creating the demo accounts')
  // One after the other, because registrations are limited by IP address, and all have the same.
  for (const entry of accounts) await seedPerson(system, entry, sandbox.url)
  await seedCrowd(system, demoPassword, entries)
}

async function subscribe(person: Person, plan: string, sandboxUrl: string): Promise<void> {
  const checkout = await person.call<{ url: string }>('POST', '/api/subscriptions/create-checkout-session', { plan })
  await person.followRedirects(checkout.url, sandboxUrl)
  await waitUntil('the subscription', async () => {
    const answer = await person.fetch('/api/subscriptions/current')
    return answer.ok && ((await answer.json()) as Json)['status'] === 'active'
  })
}

async function seedPerson(system: System, entry: DemoAccount, sandboxUrl: string): Promise<void> {
  const person = new Person(system.config.publicUrl)
  const { name, email, timeZone } = entry
  await person.call('POST', '/api/users', { name, email, timeZone, password: demoPassword })
  if (!entry.verified) return
  await person.call('POST', '/api/users/verify-email', { token: await verificationToken(sandboxUrl, email) })
  if (entry.admin) await makeAdmin(system, email)
  if (!entry.plan) return
  await subscribe(person, entry.plan, sandboxUrl)
  for (const platform of entry.connects) await person.followRedirects(`/api/social-connect/${platform}`, sandboxUrl)
  if (entry.hasSite) await seedSite(person, entry)
  await seedPosts(person, entry)
  if (entry.booked) await seedAppointments(person, entry)
}

async function seedSite(person: Person, entry: DemoAccount): Promise<void> {
  const upload = async (name: string, svg: string) => {
    const form = new FormData()
    form.append(
      'file',
      new File([new Uint8Array(await sharp(Buffer.from(svg)).png().toBuffer())], `${name}.png`, { type: 'image/png' }),
    )
    return await person.call<Json>('POST', '/api/websitebuilder/image', form)
  }
  const images = {
    logoImage: await upload('logo', logoSvg()),
    backgroundImage: await upload('flash-wall', bannerSvg()),
    profileImage: await upload('portrait', portraitSvg()),
  }
  const { address, design, sections, ...about } = demoSite
  await person.call('POST', '/api/websitebuilder', {
    personalInfo: { name: entry.name, ...about },
    address,
    design,
    sections,
    images,
  })
}

type Account = { _id: string; platform: string; pages: { pageId: string }[] }

async function seedPosts(person: Person, entry: DemoAccount): Promise<void> {
  if (entry.posts.length === 0) return
  const accounts = await person.call<Account[]>('GET', '/api/social-accounts')
  const form = new FormData()
  for (const drawing of flash) {
    const jpeg = await sharp(Buffer.from(flashSvg(drawing, 1440)))
      .jpeg({ quality: 90 })
      .toBuffer()
    form.append('files', new File([new Uint8Array(jpeg)], `${drawing.name}.jpg`, { type: 'image/jpeg' }))
  }
  const media = await person.call<{ _id: string; fileName: string }[]>('POST', '/api/media/upload', form)
  const itemOf = (drawing: string) => media.find((one) => one.fileName === `${drawing}.jpg`)?._id
  if (entry.gallery.length > 0)
    await person.call('POST', '/api/websitebuilder/gallery', { ids: entry.gallery.map(itemOf) })
  for (const drawing of entry.gallery)
    await person.call('POST', '/trpc/website.describeGalleryItem', {
      id: itemOf(drawing),
      altText: drawingAltTexts[drawing] ?? '',
    })
  if (entry.hasSite)
    for (const { drawing, ...piece } of demoFlash)
      await person.call('PUT', `/api/websitebuilder/gallery/${itemOf(drawing)}/flash`, { flash: piece })
  for (const post of entry.posts) {
    const drawing = flash.find((one) => one.name === post.drawing)
    const variants = accounts
      .filter((account) => post.pages.some((platform) => platform === account.platform))
      .map((account) => ({
        platform: account.platform,
        socialAccountId: account._id,
        pageId: account.pages[0]?.pageId,
        title: '',
        message: drawing?.caption ?? '',
      }))
    const body = { mediaIds: [itemOf(post.drawing)], variants, requestId: randomUUID() }
    if (post.hours === null) await person.call('POST', '/api/posts', body)
    else
      await person.call('POST', '/api/posts/schedule', {
        ...body,
        scheduledAt: new Date(Date.now() + post.hours * 3_600_000).toISOString(),
      })
  }
}

/** Books two weeks of appointments at the artist's site, which is created if there is none yet. */
async function seedAppointments(person: Person, entry: DemoAccount): Promise<void> {
  const site = await person.call<{ personalInfo: { domainName: string } }>('GET', '/api/websitebuilder')
  const domainName = site.personalInfo.domainName || entry.name.toLowerCase().replaceAll(/[^a-z]+/g, '-')
  if (!site.personalInfo.domainName)
    await person.call('POST', '/api/websitebuilder', { personalInfo: { name: entry.name, domainName } })
  const today = Temporal.Now.plainDateISO(entry.timeZone)
  const client = new Person(person.origin)
  for (const { days, status, by, ...details } of seedBookings) {
    const booking = { ...details, domainName, date: today.add({ days }).toString() }
    const { _id } = await (by === 'client' ? client : person).call<{ _id: string }>(
      'POST',
      '/api/appointments',
      booking,
    )
    if (status !== 'pending') await person.call('PUT', `/api/appointments/${_id}`, { status })
  }
}

async function verificationToken(sandboxUrl: string, email: string): Promise<string> {
  return await waitUntil('the verification mail', async () => {
    const answer = await fetch(`${sandboxUrl}/_control/mail?to=${encodeURIComponent(email)}`)
    const [mail] = (await answer.json()) as { links: string[] }[]
    const link = mail?.links.find((one) => one.includes('/verify-email'))
    return link && (new URL(link).searchParams.get('token') ?? undefined)
  })
}

/** The first result of `check` that is neither false nor undefined. */
async function waitUntil<T>(what: string, check: () => Promise<T | false | undefined>): Promise<T> {
  for (let attempts = 0; attempts < 1200; attempts++) {
    const found = await check()
    if (found !== false && found !== undefined) return found
    await sleep(50)
  }
  throw new Error(`The demo accounts could not be created: waited too long for ${what}.`)
}
