import type { Platform } from '@flashsheet/contracts/networks'
import { videoRefusal, type VideoProperties } from '@flashsheet/contracts/video'
import { NetworkError, type PublishMedia } from './adapter.ts'

/** The facts of a video that the networks' rules use. */
export function videoOf({
  bytes,
  mimeType,
  width,
  height,
  durationMs,
  codec,
  audioCodec,
  fps,
}: PublishMedia): VideoProperties {
  return {
    bytes,
    mimeType,
    width,
    height,
    seconds: durationMs === null ? null : durationMs / 1000,
    codec,
    audioCodec,
    fps,
  }
}

/** Refuses what the network would refuse minutes later with a less clear error. Throws NetworkError `permanent`. */
export function refuseVideo(platform: Platform, video: PublishMedia): void {
  const sentence = videoRefusal(platform, videoOf(video))
  if (sentence !== null) throw new NetworkError('permanent', 'video_unfit', sentence)
}
