import * as http from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { Shown } from './model.ts'

/** One web process of the product. `host`: each site has its own host. */
export type Process = { port: number; addressing: 'path' | 'host'; caughtUp: () => Promise<void> }

export type Response = { status: number; headers: http.IncomingHttpHeaders; body: string }

export const sitesDomain = 'sites.example'
const agent = new http.Agent({ keepAlive: false })

/** Requests any address of a process. fetch cannot set the Host header. */
export async function request(
  { port }: Pick<Process, 'port'>,
  address: { host?: string; path: string },
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Response> {
  return await new Promise((resolve, reject) => {
    const sent = http.request(
      {
        host: '127.0.0.1',
        port,
        path: address.path,
        method,
        agent,
        headers: { host: address.host ?? `localhost:${port}`, ...headers },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('latin1'),
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** As the page of a short outage reloads itself. */
export async function visit(...what: Parameters<typeof request>): Promise<Response> {
  for (let left = 3; ; left--) {
    const response = await request(...what)
    if (response.status !== 503 || left === 0) return response
    await setTimeout(300)
  }
}

/** The address of a page of the site with this name. */
export const addressAt = ({ addressing }: Process, name: string, path = ''): { host?: string; path: string } =>
  addressing === 'host'
    ? { host: `${name}.${sitesDomain}`, path: `/${path}` }
    : { path: `/s/${name}${path && `/${path}`}` }

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .trim()
const first = (html: string, pattern: RegExp) => textOf(pattern.exec(html)?.[1] ?? '')
const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map((one) => textOf(one[1] ?? ''))

const sectionIds: Record<string, string> = { 'guest-spots': 'guestSpots' }

/** What a home page shows, as a visitor sees it: without its head. */
export function readHome(page: string): Shown {
  const html = Buffer.from(page, 'latin1').toString('utf8')
  const body = html.slice(html.indexOf('<body>'))
  const sections = new Map(
    [...body.matchAll(/<section[^>]* id="([\w-]+)">(.*?)<\/section>/gs)].map((one) => [one[1]!, one[2]!]),
  )
  const section = (id: string) => sections.get(id) ?? ''
  const contact = section('contact')
  const imageIn = (pattern: RegExp) => {
    const id = /\/files\/site-images\/([\w-]+)/.exec(pattern.exec(body)?.[0] ?? '')?.[1]
    return id === undefined ? '' : `/files/site-images/${id}`
  }
  const background = imageIn(/<div class="banner">.*?<\/div>/s)
  const face = imageIn(/<div class="face">.*?<\/div>/s)
  const hasFaceOfArtist = / alt="[^"]/.test(/<div class="face">.*?<\/div>/s.exec(body)?.[0] ?? '')
  return {
    name: first(body, /<h1[^>]*>(.*?)<\/h1>/s),
    where: first(body, /<p class="where">(.*?)<\/p>/s).replaceAll('\u{a0}', ' '),
    sections: [...sections.keys()].map((id) => sectionIds[id] ?? id),
    about: first(section('about'), /<div class="words">(.*?)<\/div>/s),
    email: first(contact, /<a href="mailto:[^"]*">(.*?)<\/a>/),
    phone: first(contact, /<a href="tel:[^"]*">(.*?)<\/a>/),
    street:
      /<address>(.*?)<\/address>/s
        .exec(contact)?.[1]
        ?.split('<br>')
        .map(textOf)
        .find((line) => line.startsWith('Street')) ?? '',
    work: all(section('work'), /<img [^>]*alt="([^"]*)"/g),
    flash: [...section('flash').matchAll(/<h3>(.*?)<\/h3>(.*?)<\/li>/gs)].map(([, title = '', rest = '']) =>
      [
        title,
        first(rest, /<p class="price">(.*?)<\/p>/),
        rest.includes('class="taken"') ? 'taken' : rest.includes('/book?flash=') ? 'book' : '',
      ].join(' '),
    ),
    images: {
      logo: imageIn(/<a class="brand.*?<\/a>/s),
      background: background || (hasFaceOfArtist ? '' : face),
      profile: hasFaceOfArtist ? face : imageIn(/<div class="likeness">.*?<\/div>/s),
    },
    services: all(section('services'), /<h3>(.*?)<\/h3>/g),
    spots: all(section('guest-spots'), /<dd>(.*?)<\/dd>/g),
    canBook: /<nav.*?<\/nav>/s.exec(body)?.[0].includes('>Book</a>') ?? false,
  }
}
