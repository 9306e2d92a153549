import { networks, type NetworkRules, type Platform } from '@flashsheet/contracts/networks'
import { textLength } from '@flashsheet/contracts/posts/rules'
import type { Caption } from '../draft/draft.ts'

/** Counts each # that begins a word. */
export function countHashtags(text: string): number {
  return text.match(/(?<![\p{L}\p{N}_&])#[\p{L}\p{N}_]+/gu)?.length ?? 0
}

/** Counts each @ that begins a name; the @ of an email address does not. */
export function countMentions(text: string): number {
  return text.match(/(?<![\p{L}\p{N}_.])@[\p{L}\p{N}_.]+/gu)?.length ?? 0
}

/** What a network will refuse or change, in sentences. */
export function captionWarnings(platform: Platform, { title, caption }: Caption): string[] {
  const { name, caption: limit, hashtags, mentions, replaces } = networks[platform]
  const warnings: string[] = []
  const tags = countHashtags(caption)
  if (hashtags && tags > hashtags.max)
    warnings.push(`${name} takes up to ${hashtags.max} hashtags. This caption has ${tags}.`)
  else if (hashtags && tags > hashtags.advised)
    warnings.push(`${name} wants no more than ${hashtags.advised} hashtags in a post. This caption has ${tags}.`)
  const named = countMentions(caption)
  if (mentions && named > mentions.max)
    warnings.push(`${name} takes up to ${mentions.max} mentions. This caption has ${named}.`)
  if (textLength(caption, limit) > limit.max)
    warnings.push(`${name} will cut the end of this caption: ${lengthReason(limit)}`)
  const replaced = Object.entries(replaces ?? {})
  if (replaced.some(([from]) => `${title}${caption}`.includes(from))) {
    const [from, to] = [replaced.map(([one]) => one).join(' and '), replaced.map(([, one]) => one).join(' and ')]
    warnings.push(`${name} does not allow ${from}. They will be shown as ${to}.`)
  }
  return warnings
}

function lengthReason({ max, counts, escapes }: NetworkRules['caption']): string {
  return counts === 'bytes'
    ? 'it counts emoji and non-Latin letters more than once.'
    : `it takes up to ${max} characters${escapes ? ', some symbols count twice' : ''}.`
}

/** One line of help for a caption on these networks. */
export function captionHelp(platforms: readonly Platform[]): string {
  const limits = platforms.flatMap((platform) => {
    const { name, hashtags, mentions } = networks[platform]
    const wanted = [hashtags && `${hashtags.advised} hashtags`, mentions && `${mentions.max} mentions`].filter(Boolean)
    return wanted.length > 0 ? [` ${name} wants up to ${wanted.join(' and ')}.`] : []
  })
  return `Hashtags go right into the caption.${limits.join('')}`
}

/** What the networks do with the title. */
export function titleHelp(platforms: readonly Platform[]): string {
  const titled = platforms.find((platform) => networks[platform].title)
  if (titled === undefined) return 'Shown in your calendar; used as the caption if you leave that empty.'
  const { name } = networks[titled]
  return `${name}'s video title. Left empty, ${name} gets the caption's first line.`
}
