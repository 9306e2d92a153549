import type { Platform } from '@flashsheet/contracts/networks'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import type { Artist } from './actors.ts'
import type { TestApp } from './app.ts'
import { eventually } from './sandbox.ts'

type ConnectOptions = {
  /** The identity at the network; default: the sandbox's first. */
  as?: string
  /** The decision at the consent page. */
  auto?: 'approve' | 'deny'
  /** Query parameters for the consent page, e.g. `{pages: 'id'}` or `{decline: 'pages_manage_posts'}`. */
  consent?: Record<string, string>
}

/** Headers of a browser that follows a link. */
export const browserHeaders = { accept: 'text/html,application/xhtml+xml' }

/** Starts connecting and decides at the consent page; returns the network's redirect to us without following it. */
export async function consent(
  app: Pick<TestApp, 'url'>,
  artist: Artist,
  platform: Platform,
  options: ConnectOptions = {},
): Promise<URL> {
  const start = await artist.fetch(`/api/social-connect/${platform}`, { headers: browserHeaders })
  const location = start.headers.get('location')
  if (start.status !== 302 || !location)
    throw new Error(`connecting ${platform} did not redirect: ${start.status} ${await start.text()}`)
  const page = new URL(location, app.url)
  if (page.origin === new URL(app.url).origin)
    throw new Error(`connecting ${platform} was refused: ${page.searchParams.get('error')}`)
  page.searchParams.set('auto', options.auto ?? 'approve')
  if (options.as !== undefined) page.searchParams.set('as', options.as)
  for (const [name, value] of Object.entries(options.consent ?? {})) page.searchParams.set(name, value)
  // Without the artist's cookies, which belong to our host.
  const answer = await fetch(page, { redirect: 'manual', headers: browserHeaders })
  const back = answer.headers.get('location')
  if (!back) throw new Error(`${platform}'s consent page did not redirect: ${answer.status} ${await answer.text()}`)
  return new URL(back, page)
}

/** The whole OAuth flow over HTTP with the artist's cookies; returns the final address. */
export async function followOAuthFlow(
  app: Pick<TestApp, 'url'>,
  artist: Artist,
  platform: Platform,
  options: ConnectOptions = {},
): Promise<URL> {
  const back = await consent(app, artist, platform, options)
  const end = await artist.fetch(back.href, { headers: browserHeaders })
  return new URL(end.headers.get('location') ?? `/none-${end.status}`, app.url)
}

/** Connects an account at the sandbox and returns it. Throws our message when the flow ended elsewhere. */
export async function connect(
  app: Pick<TestApp, 'url'>,
  artist: Artist,
  platform: Platform,
  options: ConnectOptions = {},
): Promise<SocialAccount> {
  const before = new Set((await accountsOf(artist)).map((account) => account._id))
  const end = await followOAuthFlow(app, artist, platform, options)
  if (end.searchParams.get('connected') !== platform)
    throw new Error(`connecting ${platform} ended at ${end.pathname}${end.search}`)
  const accounts = (await accountsOf(artist)).filter((account) => account.platform === platform)
  const account =
    accounts.find((one) => !before.has(one._id)) ??
    accounts.find((one) => one.providerUserId === options.as) ??
    accounts[0]
  if (!account) throw new Error(`${platform} was connected but is not listed`)
  return account
}

/** The accounts without the pictures of their pages, which a job copies at its own time. */
export async function accountsOf(artist: Artist): Promise<SocialAccount[]> {
  return (await artist.get<SocialAccount[]>('/api/social-accounts')).body.map(withoutPictures)
}

export function withoutPictures(account: SocialAccount): SocialAccount {
  return { ...account, pages: account.pages.map((page) => ({ ...page, picture: null })) }
}

/** The accounts once every page has its picture. */
export async function accountsWithPictures(artist: Artist): Promise<SocialAccount[]> {
  return await eventually('the pictures of all pages', async () => {
    const { body } = await artist.get<SocialAccount[]>('/api/social-accounts')
    return body.every(({ pages }) => pages.every(({ picture }) => picture !== null)) && body
  })
}
