import type { MediaForNetwork } from '@flashsheet/contracts/media/schema'
import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import { formatBytes } from '../../../lib/format.ts'
import type { Caption, SelectedMedia } from '../draft/draft.ts'

/** About how many characters a network shows before "more". Null: the words are not shown beside the media at all. */
const shownCharacters: Record<Platform, number | null> = {
  facebook: 477,
  instagram: 125,
  tiktok: 90,
  youtube: null,
  linkedin: 210,
}

/** And how many lines: whoever breaks theirs early is cut early. */
const shownLines: Record<Platform, number> = { facebook: 5, instagram: 2, tiktok: 2, youtube: 0, linkedin: 3 }

/** The beginning of a text that a network shows at once, cut at a word or a line, and whether there is more. */
export function firstWords(platform: Platform, text: string): { shown: string; more: boolean } {
  const most = shownCharacters[platform]
  const trimmed = text.trim()
  if (most === null) return { shown: '', more: trimmed !== '' }
  const lines = trimmed.split('\n').slice(0, shownLines[platform]).join('\n').trimEnd()
  if (lines.length <= most) return { shown: lines, more: lines.length < trimmed.length }
  const cut = lines.slice(0, most)
  const atWord = cut.lastIndexOf(' ')
  return { shown: cut.slice(0, atWord > most / 2 ? atWord : most).trimEnd(), more: true }
}

/** What a network is sent as title and text: a title alone stands in for a caption where a network has no titles. */
export function wordsOn(
  platform: Platform,
  { title, caption }: Caption,
  isVideo: boolean,
): { title: string; text: string } {
  const withoutAngles = (text: string) => text.replaceAll('<', '‹').replaceAll('>', '›')
  if (platform === 'youtube')
    return {
      title: withoutAngles(title.trim() || caption.trim().split('\n')[0] || 'New work').slice(0, 100),
      text: withoutAngles(caption),
    }
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

const kinds: Record<MediaForNetwork['media'][number]['mimeType'], string> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'video/mp4': 'MP4',
  'video/quicktime': 'MOV',
}

/** "Instagram gets: JPEG, 1440 × 1800, 312 KB". Of several, the first one's kind and size and the weight of all. */
export function sentWords(platform: Platform, media: MediaForNetwork['media']): string {
  const [first] = media
  if (!first) return ''
  const all = formatBytes(media.reduce((sum, one) => sum + one.bytes, 0))
  const size = `${first.width} × ${first.height}`
  const same = media.every(
    (one) => one.mimeType === first.mimeType && one.width === first.width && one.height === first.height,
  )
  const what =
    media.length === 1
      ? `${kinds[first.mimeType]}, ${size}, ${all}`
      : `${media.length} files, ${same ? `${kinds[first.mimeType]}, ${size}, ` : ''}${all} together`
  return `${platformNames[platform]} gets: ${what}`
}
