import type { Platform } from '@flashsheet/contracts/networks'

/** A page's handle as its network writes it; null where it has none. */
export function handleOf(platform: Platform, username: string | null): string | null {
  const plain = username?.replace(/^@/, '')
  if (!plain) return null
  return platform === 'linkedin' ? `linkedin.com/company/${plain}` : `@${plain}`
}
