import { videoRefusal, type VideoProperties } from '@flashsheet/contracts/video'
import { platformNames, type Platform } from '@flashsheet/contracts/networks'
import { NetworkError, type PublishJob, type PublishMedia } from './adapter.ts'

/** The properties of a video that the networks' rules use; its duration in seconds. */
export function videoOf({ durationMs, ...video }: PublishMedia): VideoProperties {
  return { ...video, seconds: durationMs === null ? null : durationMs / 1000 }
}

/** Refuses what the network would refuse minutes later with a less clear error. Throws NetworkError `permanent`. */
export function refuseVideo(platform: Platform, video: PublishMedia): void {
  const sentence = videoRefusal(platform, videoOf(video))
  if (sentence !== null) throw new NetworkError('permanent', 'video_unfit', sentence)
}

/** The video of a target of a network that takes videos only. Throws NetworkError `permanent` when there is none. */
export async function onlyVideo(platform: Platform, job: PublishJob): Promise<PublishMedia> {
  const [video] = await job.media()
  if (video?.kind !== 'video')
    throw new NetworkError('permanent', 'no_video', `${platformNames[platform]} takes videos only.`)
  return video
}
