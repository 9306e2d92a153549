import type { MediaFacts } from '../../context.ts'

const captionLimit = 2200
const hashtagLimit = 30
const mentionLimit = 20
const imageBytes = 8 * 1024 * 1024
/** The stricter reading of Instagram's "300 MB" (docs/networks/instagram.md). */
export const videoBytes = 300_000_000

/** The subcode of a caption's refusal; 0 when it is accepted. */
export function captionRefusal(caption: string): number {
  if (Array.from(caption).length > captionLimit) return 2207010
  const hashtags = caption.match(/#[\p{L}\p{N}_]+/gu)?.length ?? 0
  const mentions = caption.match(/(?<![\p{L}\p{N}_])@[\p{L}\p{N}_.]+/gu)?.length ?? 0
  return hashtags > hashtagLimit || mentions > mentionLimit ? 2207040 : 0
}

/** The subcode of an image's refusal; 0 when it is accepted. */
export function imageRefusal(facts: MediaFacts): number {
  if (facts.bytes > imageBytes) return 2207004
  if (facts.type !== 'image/jpeg') return 2207005
  const ratio = facts.width / facts.height
  // The tolerance allows for rounding to whole pixels.
  return ratio < 4 / 5 - 0.01 || ratio > 1.91 + 0.01 ? 2207009 : 0
}

/** The subcode of a video's refusal; 0 when it is accepted. `child`: an item of a carousel, at most 60 s. */
export function videoRefusal(facts: MediaFacts, child: boolean, thumbOffset: number): number {
  const ratio = facts.width / facts.height
  const hasValidContainer = ['video/mp4', 'video/quicktime'].includes(facts.type) && facts.moovFirst && !facts.editLists
  const hasValidCodecs = ['avc', 'hevc'].includes(facts.videoCodec) && ['aac', ''].includes(facts.audioCodec)
  const hasValidSize = facts.bytes <= videoBytes && facts.width <= 1920 && ratio >= 0.01 && ratio <= 10
  const hasValidDuration = facts.durationMs >= 3000 && facts.durationMs <= (child ? 60_000 : 900_000)
  const hasValidFrameRate = Math.round(facts.fps) >= 23 && Math.round(facts.fps) <= 60
  const hasValidBitRate = facts.durationMs > 0 && (facts.bytes * 8) / (facts.durationMs / 1000) <= 26_000_000
  if (
    !(hasValidContainer && hasValidCodecs && hasValidSize && hasValidDuration && hasValidFrameRate && hasValidBitRate)
  )
    return 2207026
  return thumbOffset >= facts.durationMs ? 2207057 : 0
}
