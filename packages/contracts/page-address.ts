import type { Platform } from './networks.ts'

const encoded = (text: string) => encodeURIComponent(text).replaceAll('%40', '@')

type NetworkAddresses = {
  /** Hosts of its posts, subdomains included. */
  hosts: readonly string[]
  /** Where the posts of a page are seen; without a name Instagram and TikTok can only be opened. */
  page: (pageId: string, username: string | null) => string
  /** Each finds the id in the address of a post, as its first group. */
  postId: readonly RegExp[]
  /** The page that the address of a post names; absent where none does. */
  pageOfPost?: (path: { first: string; second: string }, query: URLSearchParams) => string | null
  /** A page may have further ids and names that the network's API does not return. */
  hasUnknownPageNames?: true
}

/** Apart from the table of networks: the browser needs none of it. */
const addresses: Record<Platform, NetworkAddresses> = {
  facebook: {
    hosts: ['facebook.com', 'fb.watch', 'fb.com'],
    page: (pageId) => `https://www.facebook.com/${encoded(pageId)}`,
    postId: [
      /[?&](?:story_fbid|fbid|v)=([\w-]+)/,
      /\/(?:posts|videos|reel|photos|permalink)\/(?:[^/?]+\/)*?([\w-]{6,})\/?(?:[?#]|$)/,
    ],
    pageOfPost: ({ first, second }, query) =>
      ['posts', 'videos', 'photos'].includes(second) ? first : query.get('id'),
    hasUnknownPageNames: true,
  },
  instagram: {
    hosts: ['instagram.com'],
    page: (_pageId, username) => `https://www.instagram.com/${username === null ? '' : `${encoded(username)}/`}`,
    postId: [/\/(?:p|reel|reels|tv)\/([\w-]+)/],
    pageOfPost: ({ first, second }) => (['p', 'reel', 'reels', 'tv'].includes(second) ? first : null),
  },
  tiktok: {
    hosts: ['tiktok.com'],
    page: (_pageId, username) =>
      `https://www.tiktok.com/${username === null ? '' : `@${encoded(username.replace(/^@/, ''))}`}`,
    postId: [/\/(?:video|photo)\/(\d+)/],
    pageOfPost: ({ first }) => (first.startsWith('@') ? first.slice(1) : null),
  },
  youtube: {
    hosts: ['youtube.com', 'youtu.be'],
    page: (pageId) => `https://www.youtube.com/channel/${encoded(pageId)}/videos`,
    postId: [/[?&]v=([\w-]+)/, /\/(?:shorts|live|embed)\/([\w-]+)/, /^https:\/\/youtu\.be\/([\w-]+)/],
  },
  linkedin: {
    hosts: ['linkedin.com', 'lnkd.in'],
    page: (pageId) => `https://www.linkedin.com/company/${encoded(pageId)}/posts/`,
    postId: [/(urn:li:(?:share|ugcPost|activity):\d+)/],
  },
}

/** Where the posts of a page are seen. */
export const pageAddress = (platform: Platform, pageId: string, username: string | null): string =>
  addresses[platform].page(pageId, username)

export const hasUnknownPageNames = (platform: Platform): boolean => addresses[platform].hasUnknownPageNames ?? false

/** The address of a post as an artist copies one, if it can be one at this network: https, at its host, and more than its front page. */
export function postAddress(platform: Platform, text: string): string | undefined {
  const written = text.trim()
  if (!URL.canParse(/^https?:\/\//i.test(written) ? written : `https://${written}`)) return undefined
  const url = new URL(/^https?:\/\//i.test(written) ? written : `https://${written}`)
  const isThere = addresses[platform].hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
  if (!isThere || url.username !== '' || url.password !== '' || url.port !== '' || url.pathname === '/')
    return undefined
  url.protocol = 'https:'
  return url.href
}

/** What the address of a post calls it; undefined for one that says nothing of it, as short links do. */
export function postIdIn(platform: Platform, address: string): string | undefined {
  const plain = address.replaceAll(/%3A/gi, ':')
  for (const pattern of addresses[platform].postId) {
    const id = pattern.exec(plain)?.[1]
    if (id !== undefined) return id
  }
  return undefined
}

/** The page that the address of a post names, in lower case, by its name or id; undefined where it names none. */
export function pageIn(platform: Platform, address: string): string | undefined {
  const url = new URL(address)
  const [first = '', second = ''] = url.pathname
    .split('/')
    .filter(Boolean)
    .map((part) => decodeURIComponent(part).toLowerCase())
  return addresses[platform].pageOfPost?.({ first, second }, url.searchParams)?.toLowerCase()
}
