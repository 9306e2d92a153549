import type { Platform } from '@flashsheet/contracts/networks'
import { videoRefusal, type VideoProperties } from '@flashsheet/contracts/video'
import { NetworkError, type PublishMedia } from './adapter.ts'

/** A video that is to be sent, as the rules of the networks read it. */
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

/** Refuses what the network would only refuse minutes later, and less clearly. Throws NetworkError `permanent`. */
export function refuseVideo(platform: Platform, video: PublishMedia): void {
  const sentence = videoRefusal(platform, videoOf(video))
  if (sentence !== null) throw new NetworkError('permanent', 'video_unfit', sentence)
}
