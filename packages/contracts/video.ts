import { networks, type Platform, type Range } from './networks.ts'

/** The encoding of a video. Codecs by their common short names; unknown ones as they are in the file. */
export type VideoEncoding = {
  codec: string | null
  /** Null: no sound. */
  audioCodec: string | null
  fps: number | null
}

/** The known properties of a video; an unknown one (null) is never a reason to refuse it. */
export type VideoProperties = VideoEncoding & {
  bytes: number
  seconds: number | null
  /** After rotation. */
  width: number | null
  height: number | null
  mimeType: string | null
}

/** Codecs that an MP4 can contain without re-encoding. PCM in an MP4 (ISO 23003-5) is missing: few programs read it, some as noise. */
const inMp4 = { codecs: ['avc', 'hevc', 'vp8', 'vp9', 'av1'], audio: /^(aac|opus|mp3|flac|ac3|eac3)/ }
/** A file is a little larger than its picture and sound. */
const overhead = 1.04

const codecNames: Record<string, string> = {
  avc: 'H.264',
  hevc: 'HEVC',
  vp8: 'VP8',
  vp9: 'VP9',
  av1: 'AV1',
  prores: 'ProRes',
  aac: 'AAC',
  opus: 'Opus',
  mp3: 'MP3',
  flac: 'FLAC',
  alac: 'Apple Lossless',
}
const nameOf = (codec: string) => codecNames[codec] ?? (codec.startsWith('pcm') ? 'PCM' : codec)
const either = (codecs: readonly string[]) => codecs.map(nameOf).join(codecs.length > 2 ? ', ' : ' or ')
const outside = (value: number, range: Range | undefined) =>
  value < (range?.min ?? value) || value > (range?.max ?? value)

/** Why a network will refuse this video, as a sentence that says what to do; null: no reason is known. */
export function videoRefusal(platform: Platform, video: VideoProperties): string | null {
  const { name: network, media } = networks[platform]
  const rule = media.video
  const { seconds, width, height, fps, codec, audioCodec, bytes } = video
  if (seconds !== null && outside(seconds, rule.seconds))
    return `${network} takes videos of ${rule.seconds?.min} seconds or more.`
  if (bytes > (rule.bytes?.max ?? bytes))
    return `${network} takes videos of up to ${(rule.bytes?.max ?? 0) / 1_000_000} MB.`
  if (bytes < (rule.bytes?.min ?? bytes))
    return `${network} takes videos of ${(rule.bytes?.min ?? 0) / 1000} KB or more.`
  if (codec !== null && rule.codecs && !rule.codecs.includes(codec))
    return `${network} takes videos in ${either(rule.codecs)}, this one is in ${nameOf(codec)}.`
  if (audioCodec !== null && rule.audioCodecs && !rule.audioCodecs.includes(audioCodec)) {
    return `${network} takes sound in ${either(rule.audioCodecs)}, this video has it in ${nameOf(audioCodec)}.`
  }
  if (rule.mp4Only && video.mimeType === 'video/quicktime' && !fitsMp4(video)) {
    return `${network} takes MP4, and this MOV cannot become one as it is. Please export it as an MP4 with H.264 and AAC.`
  }
  if (fps !== null && outside(Math.round(fps), rule.framesPerSecond)) {
    return `${network} takes ${rule.framesPerSecond?.min} to ${rule.framesPerSecond?.max} frames a second, this video has ${Math.round(fps)}.`
  }
  if (width !== null && height !== null) {
    if (outside(width, rule.side) || outside(height, rule.side))
      return `${network} takes videos of ${rule.side?.min} to ${rule.side?.max} pixels a side, this one has ${width} × ${height}.`
    if (outside(width, rule.width))
      return `${network} takes videos of up to ${rule.width?.max} pixels in width, this one has ${width}. Export it in 1080p.`
    if (outside(width / height, rule.ratio))
      return `${network} takes videos up to ${rule.ratio?.max} times as wide as they are high.`
  }
  const megabits = seconds === null ? 0 : (bytes * 8) / seconds / 1_000_000
  if (rule.megabitsPerSecond !== undefined && megabits > rule.megabitsPerSecond * overhead) {
    return `${network} takes up to ${rule.megabitsPerSecond} megabits a second, this video has ${Math.round(megabits)}. Export it in 1080p.`
  }
  return null
}

function fitsMp4({ codec, audioCodec }: VideoEncoding): boolean {
  return (codec === null || inMp4.codecs.includes(codec)) && (audioCodec === null || inMp4.audio.test(audioCodec))
}

/** Whether Facebook accepts a video as a reel: upright 9:16, 3 to 90 s, 24 to 60 frames a second, with a supported codec. */
export function isReel({ seconds, width, height, fps, codec }: VideoProperties): boolean {
  if (seconds === null || width === null || height === null) return false
  const isUpright = width >= 540 && height >= 960 && Math.abs(width / height - 9 / 16) <= 0.01
  const hasSupportedRate = fps === null || (Math.round(fps) >= 24 && Math.round(fps) <= 60)
  return (
    isUpright &&
    hasSupportedRate &&
    seconds >= 3 &&
    seconds <= 90 &&
    (codec === null || ['avc', 'hevc', 'vp9', 'av1'].includes(codec))
  )
}
