import type { MediaForNetwork } from '@flashsheet/contracts/media/schema'
import { networks, type Platform } from '@flashsheet/contracts/networks'
import { truncate } from '@flashsheet/contracts/posts/rules'
import { formatBytes } from '../../../lib/format.ts'
import type { SelectedMedia } from '../draft/draft.ts'
import { ratioOf } from '../draft/framing.ts'

/** The part of a caption that a network shows before "more", cut at a word or a line. */
export function foldedText(platform: Platform, text: string): { shown: string; more: boolean } {
  const { fold } = networks[platform].preview
  const trimmed = text.trim()
  if (fold === null) return { shown: '', more: trimmed !== '' }
  const maxCharacters = fold.characters
  const lines = trimmed.split('\n').slice(0, fold.lines).join('\n').trimEnd()
  if (lines.length <= maxCharacters) return { shown: lines, more: lines.length < trimmed.length }
  const cut = truncate(lines, { max: maxCharacters, counts: 'utf16' })
  const atWord = cut.lastIndexOf(' ')
  return { shown: (atWord > maxCharacters / 2 ? cut.slice(0, atWord) : cut).trimEnd(), more: true }
}

/** Width over height of the frame in which a network shows the media. */
export function frameRatio(platform: Platform, first: Pick<SelectedMedia, 'type' | 'dimensions'> | undefined): number {
  const own = (first && ratioOf(first)) ?? 1
  const { min, max } = networks[platform].preview.frame[first?.type ?? 'image']
  return Math.min(max, Math.max(min, own))
}

/** "Instagram gets: JPEG, cropped to 4:5" */
export function croppedText(platform: Platform, ratio: number): string {
  const shape = Math.abs(ratio - 4 / 5) < 0.005 ? '4:5' : ratio > 1.9 ? '1.91:1' : 'the shape of the first picture'
  return `${networks[platform].name} gets: JPEG, cropped to ${shape}`
}

const kinds: Record<MediaForNetwork['media'][number]['mimeType'], string> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'video/mp4': 'MP4',
  'video/quicktime': 'MOV',
}

/** "Instagram gets: JPEG, 1440 × 1800, 312 KB". With several items: format and dimensions of the first, file size of all. */
export function sentText(platform: Platform, media: MediaForNetwork['media']): string {
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
  return `${networks[platform].name} gets: ${what}`
}
