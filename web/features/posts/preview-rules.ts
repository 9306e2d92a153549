import type { Platform } from '@flashsheet/contracts/social'
import type { Caption, SelectedMedia } from './draft.ts'

/** About how many characters a network shows before "more". Null: the words are not shown beside the media at all. */
const shownCharacters: Record<Platform, number | null> = { facebook: 477, instagram: 125, tiktok: 90, youtube: null, linkedin: 210 }

/** The beginning of a text that a network shows at once, cut at a word, and whether there is more. */
export function firstWords(platform: Platform, text: string): { shown: string; more: boolean } {
  const most = shownCharacters[platform]
  const trimmed = text.trim()
  if (most === null) return { shown: '', more: trimmed !== '' }
  if (trimmed.length <= most) return { shown: trimmed, more: false }
  const cut = trimmed.slice(0, most)
  const atWord = cut.lastIndexOf(' ')
  return { shown: cut.slice(0, atWord > most / 2 ? atWord : most).trimEnd(), more: true }
}

/** What a network is sent as title and text: a title alone stands in for a caption where a network has no titles. */
export function wordsOn(platform: Platform, { title, caption }: Caption, isVideo: boolean): { title: string; text: string } {
  const withoutAngles = (text: string) => text.replaceAll('<', '‹').replaceAll('>', '›')
  if (platform === 'youtube') return { title: withoutAngles(title.trim() || caption.trim().split('\n')[0] || 'New work').slice(0, 100), text: withoutAngles(caption) }
  const hasTitle = isVideo && (platform === 'facebook' || platform === 'linkedin')
  return { title: hasTitle ? title : '', text: caption || title }
}

/** Width over height of the frame a network shows the media in. */
export function frameRatio(platform: Platform, first: Pick<SelectedMedia, 'type' | 'dimensions'> | undefined): number {
  if (platform === 'tiktok') return 9 / 16
  if (platform === 'youtube') return 16 / 9
  const own = first?.dimensions && first.dimensions.height > 0 ? first.dimensions.width / first.dimensions.height : 1
  if (first?.type === 'video') return platform === 'instagram' ? 9 / 16 : Math.min(1.91, Math.max(9 / 16, own))
  return Math.min(1.91, Math.max(4 / 5, own))
}
