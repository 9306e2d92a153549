import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import type { Caption } from '../draft/draft.ts'

/** Where a network takes less than the product does (docs/networks/instagram.md, docs/networks/youtube.md). Above `fewHashtags` Instagram may still post. */
const instagram = { fewHashtags: 5, hashtags: 30, mentions: 20 } as const
const youtubeBytes = 5000

/** Hashtags in a text: a # that begins a word. */
export function countHashtags(text: string): number {
  return text.match(/(?<![\p{L}\p{N}_&])#[\p{L}\p{N}_]+/gu)?.length ?? 0
}

/** Mentions in a text: an @ that begins a name, not the one in a mail address. */
export function countMentions(text: string): number {
  return text.match(/(?<![\p{L}\p{N}_.])@[\p{L}\p{N}_.]+/gu)?.length ?? 0
}

/** What a network will refuse or change about these words, in sentences. */
export function captionWarnings(platform: Platform, { title, caption }: Caption): string[] {
  const name = platformNames[platform]
  const warnings: string[] = []
  if (platform === 'instagram') {
    const hashtags = countHashtags(caption)
    const mentions = countMentions(caption)
    if (hashtags > instagram.hashtags)
      warnings.push(`${name} takes up to ${instagram.hashtags} hashtags. This caption has ${hashtags}.`)
    else if (hashtags > instagram.fewHashtags)
      warnings.push(
        `${name} wants no more than ${instagram.fewHashtags} hashtags in a post. This caption has ${hashtags}.`,
      )
    if (mentions > instagram.mentions)
      warnings.push(`${name} takes up to ${instagram.mentions} mentions. This caption has ${mentions}.`)
  }
  if (platform === 'youtube') {
    const bytes = new TextEncoder().encode(caption).length
    if (bytes > youtubeBytes)
      warnings.push(`${name} will cut the end of this caption: it counts emoji and non-Latin letters more than once.`)
    if (/[<>]/.test(title + caption)) warnings.push(`${name} does not allow < and >. They will be shown as ‹ and ›.`)
  }
  return warnings
}

/** One line of help for the caption, by the networks it goes to. */
export function captionHelp(platforms: readonly Platform[]): string {
  const limits = platforms.includes('instagram')
    ? ` Instagram wants up to ${instagram.fewHashtags} hashtags and ${instagram.mentions} mentions.`
    : ''
  return `Hashtags go right into the caption.${limits}`
}

/** What becomes of the title, by the networks it goes to. */
export function titleHelp(platforms: readonly Platform[]): string {
  if (platforms.includes('youtube')) return "YouTube's video title. Left empty, YouTube gets the caption's first line."
  return 'Its name in your calendar. On the networks it is used when there is no caption.'
}
