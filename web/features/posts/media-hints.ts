import { platformNames, type Platform } from '@flashsheet/contracts/social'
import type { SelectedMedia } from './draft.ts'

/** Networks that take no video shorter than this many seconds, nor larger than this many bytes (decision 9). */
const shortest: Partial<Record<Platform, number>> = { instagram: 3, linkedin: 3 }
const largest: Partial<Record<Platform, number>> = { instagram: 300_000_000 }

/** What a network will not take of the picked media although the product does; null = all of it. */
export function mediaHint(platform: Platform, media: readonly Pick<SelectedMedia, 'type' | 'duration' | 'size'>[]): string | null {
  const video = media.find((item) => item.type === 'video')
  if (!video) return null
  const seconds = shortest[platform]
  const bytes = largest[platform]
  if (seconds !== undefined && video.duration !== null && video.duration < seconds) return `${platformNames[platform]} takes videos of ${seconds} seconds or more`
  if (bytes !== undefined && video.size > bytes) return `${platformNames[platform]} takes videos of up to 300 MB`
  return null
}
