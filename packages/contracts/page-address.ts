import type { Platform } from './plain.ts'

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
  if (!isThere || url.username !== '' || url.password !== '' || url.port !== '' || url.pathname === '/') return undefined
  url.protocol = 'https:'
  return url.href
}
