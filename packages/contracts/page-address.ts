import { networks, type Platform } from './networks.ts'

const encoded = (text: string) => encodeURIComponent(text).replaceAll('%40', '@')

type NetworkAddresses = {
  /** Hosts of its posts, subdomains included. */
  hosts: readonly string[]
  /** The end of the address of a page's posts, after that of its profile (`networks`). */
  postsPath?: string
  /** The first group of each pattern is the id in the address of a post. */
  postId: readonly RegExp[]
  /** The page in the address of a post; absent if addresses of posts contain none. */
  pageOfPost?: (path: { first: string; second: string }, query: URLSearchParams) => string | null
  /** A page may have further ids and names that the network's API does not return. */
  hasUnknownPageNames?: true
}

/** Separate from `networks`, because the browser does not need it. */
const addresses: Record<Platform, NetworkAddresses> = {
  facebook: {
    hosts: ['facebook.com', 'fb.watch', 'fb.com'],
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
    postId: [/\/(?:p|reel|reels|tv)\/([\w-]+)/],
    pageOfPost: ({ first, second }) => (['p', 'reel', 'reels', 'tv'].includes(second) ? first : null),
  },
  tiktok: {
    hosts: ['tiktok.com'],
    postId: [/\/(?:video|photo)\/(\d+)/],
    pageOfPost: ({ first }) => (first.startsWith('@') ? first.slice(1) : null),
  },
  youtube: {
    hosts: ['youtube.com', 'youtu.be'],
    postsPath: '/videos',
    postId: [/[?&]v=([\w-]+)/, /\/(?:shorts|live|embed)\/([\w-]+)/, /^https:\/\/youtu\.be\/([\w-]+)/],
  },
  linkedin: {
    hosts: ['linkedin.com', 'lnkd.in'],
    postsPath: 'posts/',
    postId: [/(urn:li:(?:share|ugcPost|activity):\d+)/],
  },
}

/** The address of a page's posts; the network's front page if its addresses need a handle, which is unknown. */
export function pageAddress(platform: Platform, pageId: string, username: string | null): string {
  const { before, after, by } = networks[platform].profile
  const name = by === 'handle' ? username?.replace(/^@/, '') : pageId
  return name ? `${before}${encoded(name)}${after}${addresses[platform].postsPath ?? ''}` : `${new URL(before).origin}/`
}

export const hasUnknownPageNames = (platform: Platform): boolean => addresses[platform].hasUnknownPageNames ?? false

/** The parts of a path; undefined if one of them is not validly encoded. */
function decodedPath(url: URL): string[] | undefined {
  try {
    return url.pathname.split('/').filter(Boolean).map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** The address of a post that an artist pasted, with https; undefined if it is not one at this network. */
export function postAddress(platform: Platform, text: string): string | undefined {
  const pasted = text.trim()
  const url = URL.parse(/^https?:\/\//i.test(pasted) ? pasted : `https://${pasted}`)
  if (!url) return undefined
  const isAtNetwork = addresses[platform].hosts.some(
    (host) => url.hostname === host || url.hostname.endsWith(`.${host}`),
  )
  if (!isAtNetwork || url.username !== '' || url.password !== '' || url.port !== '' || url.pathname === '/')
    return undefined
  // URL keeps percent signs that encode nothing, such as those of an address that was cut.
  if (decodedPath(url) === undefined) return undefined
  url.protocol = 'https:'
  return url.href
}

/** The id in the address of a post; undefined for one without it, such as a short link. */
export function postIdIn(platform: Platform, address: string): string | undefined {
  const plain = address.replaceAll(/%3A/gi, ':')
  for (const pattern of addresses[platform].postId) {
    const id = pattern.exec(plain)?.[1]
    if (id !== undefined) return id
  }
  return undefined
}

/** The name or id of the page in the address of a post, in lower case; undefined if it contains none. */
export function pageIn(platform: Platform, address: string): string | undefined {
  const url = new URL(address)
  const [first = '', second = ''] = decodedPath(url)?.map((part) => part.toLowerCase()) ?? []
  return addresses[platform].pageOfPost?.({ first, second }, url.searchParams)?.toLowerCase()
}
