import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { videoDurationRefusal } from '@flashsheet/contracts/media/rules'
import { FilePathSource, Input, MP4, QTFF } from 'mediabunny'
import { readBoxes } from './read-boxes.ts'
import { RefusedFile } from './refused-file.ts'

const mebibyte = 1_048_576

/** Opens a video for reading; dispose of it afterwards. */
export function openVideo(file: string): Input<FilePathSource> {
  return new Input({
    source: new FilePathSource(file, { maxCacheSize: 4 * mebibyte, handleUnhandledError: () => {} }),
    formats: [MP4, QTFF],
  })
}

/** An error that does not blame the video, such as a full disk. A malicious index leads to EINVAL. */
export function isMachineFault(error: unknown): boolean {
  const { errno, code } = error as NodeJS.ErrnoException
  return errno !== undefined && code !== 'EINVAL'
}

/**
 * Inspects an MP4 or MOV: duration, size after rotation and pixel aspect ratio, and facts for the networks' rules.
 * Throws RefusedFile when it is too long or cannot be read.
 */
export async function inspectVideo(file: string) {
  let input: Input<FilePathSource> | undefined
  try {
    const boxes = await readBoxes(file)
    input = openVideo(file)
    const video = await input.getPrimaryVideoTrack()
    if (!video) throw new RefusedFile(mediaMessages.videoUnreadable)
    const audio = await input.getPrimaryAudioTrack()
    const seconds = await input.computeDuration()
    const refusal = videoDurationRefusal(seconds)
    if (refusal !== undefined) throw new RefusedFile(refusal)
    const [width, height] = [await video.getDisplayWidth(), await video.getDisplayHeight()]
    const { averagePacketRate } = await video.computePacketStats(240)
    if (!(width > 0 && height > 0 && Number.isFinite(averagePacketRate)))
      throw new RefusedFile(mediaMessages.videoUnreadable)
    return {
      width: Math.round(width),
      height: Math.round(height),
      durationMs: Math.max(1, Math.round(seconds * 1000)),
      facts: {
        codec: (await video.getCodec()) ?? String((await video.getInternalCodecId()) ?? 'unknown'),
        audioCodec: audio && ((await audio.getCodec()) ?? String((await audio.getInternalCodecId()) ?? 'unknown')),
        fps: Math.round(averagePacketRate * 1000) / 1000,
        rotation: await video.getRotation(),
        ...boxes,
      },
    }
  } catch (error) {
    // Any other error of the reader blames the file.
    throw error instanceof RefusedFile || isMachineFault(error) ? error : new RefusedFile(mediaMessages.videoUnreadable)
  } finally {
    input?.dispose()
  }
}
