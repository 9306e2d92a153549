import { networks, type Platform } from '@flashsheet/contracts/networks'

/** A page's handle in the notation of its network; null if it has none. */
export function handleOf(platform: Platform, username: string | null): string | null {
  const plain = username?.replace(/^@/, '')
  if (!plain) return null
  return `${networks[platform].handlePrefix}${plain}`
}

/** A page's handle; a long address is broken after its slashes, and within a word only if that is not enough. */
export const HandleText = ({ handle }: { handle: string }) =>
  handle.split(/(?<=\/)/).flatMap((part) => [part, <wbr key={part} />])
