import type { Platform } from './networks.ts'

const slashless = (text: string) => encodeURIComponent(text).replaceAll('%40', '@')

/** Where a page is looked at with one's own eyes; without a name Instagram and TikTok can only be opened. */
export function pageAddress(platform: Platform, pageId: string, username: string | null): string {
  switch (platform) {
    case 'facebook':
      return `https://www.facebook.com/${slashless(pageId)}`
    case 'instagram':
      return `https://www.instagram.com/${username === null ? '' : `${slashless(username)}/`}`
    case 'tiktok':
      return `https://www.tiktok.com/${username === null ? '' : `@${slashless(username.replace(/^@/, ''))}`}`
    case 'youtube':
      return `https://www.youtube.com/channel/${slashless(pageId)}/videos`
    case 'linkedin':
      return `https://www.linkedin.com/company/${slashless(pageId)}/posts/`
  }
}

const hosts: Record<Platform, readonly string[]> = {
  facebook: ['facebook.com', 'fb.watch', 'fb.com'],
  instagram: ['instagram.com'],
  tiktok: ['tiktok.com'],
  youtube: ['youtube.com', 'youtu.be'],
  linkedin: ['linkedin.com', 'lnkd.in'],
}

/** The address of a post as an artist copies one, if it can be one at this network: https, at its host, and more than its front page. */
export function postAddress(platform: Platform, text: string): string | undefined {
  const written = text.trim()
  if (!URL.canParse(/^https?:\/\//i.test(written) ? written : `https://${written}`)) return undefined
  const url = new URL(/^https?:\/\//i.test(written) ? written : `https://${written}`)
  const isThere = hosts[platform].some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
  if (!isThere || url.username !== '' || url.password !== '' || url.port !== '' || url.pathname === '/')
    return undefined
  url.protocol = 'https:'
  return url.href
}

const postIds: Record<Platform, readonly RegExp[]> = {
  facebook: [
    /[?&](?:story_fbid|fbid|v)=([\w-]+)/,
    /\/(?:posts|videos|reel|photos|permalink)\/(?:[^/?]+\/)*?([\w-]{6,})\/?(?:[?#]|$)/,
  ],
  instagram: [/\/(?:p|reel|reels|tv)\/([\w-]+)/],
  tiktok: [/\/(?:video|photo)\/(\d+)/],
  youtube: [/[?&]v=([\w-]+)/, /\/(?:shorts|live|embed)\/([\w-]+)/, /^https:\/\/youtu\.be\/([\w-]+)/],
  linkedin: [/(urn:li:(?:share|ugcPost|activity):\d+)/],
}

/** What the address of a post calls it; undefined for one that says nothing of it, as short links do. */
export function postIdIn(platform: Platform, address: string): string | undefined {
  const plain = address.replaceAll(/%3A/gi, ':')
  for (const pattern of postIds[platform]) {
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
  switch (platform) {
    case 'tiktok':
      return first.startsWith('@') ? first.slice(1) : undefined
    case 'instagram':
      return ['p', 'reel', 'reels', 'tv'].includes(second) ? first : undefined
    case 'facebook':
      return ['posts', 'videos', 'photos'].includes(second)
        ? first
        : (url.searchParams.get('id') ?? undefined)?.toLowerCase()
    case 'youtube':
    case 'linkedin':
      return undefined
  }
}
