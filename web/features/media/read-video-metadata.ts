import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { videoDurationRefusal } from '@flashsheet/contracts/media/rules'
import type { VideoEncoding } from '@flashsheet/contracts/video'
import { BlobSource, Input, MP4, QTFF, type InputTrack } from 'mediabunny'

export type VideoMetadata = { duration: number; dimensions: { width: number; height: number }; encoding: VideoEncoding }

/** The browser gets this long to show a frame; otherwise the server makes the poster. */
const eventTimeoutMs = 15_000
const posterSide = 640

/** Reads duration, size and encoding from a video's index, also if this browser cannot play it. Throws an Error with a message for the artist. */
export async function readVideoMetadata(file: File): Promise<VideoMetadata> {
  const input = new Input({ source: new BlobSource(file), formats: [MP4, QTFF] })
  try {
    if (await isCutOff(file)) throw new Error(mediaMessages.videoUnreadable)
    const track = await input.getPrimaryVideoTrack()
    if (!track) throw new Error(mediaMessages.videoUnreadable)
    const duration = await input.computeDuration()
    const refusal = videoDurationRefusal(duration)
    if (refusal !== undefined) throw new Error(refusal)
    const sound = await input.getPrimaryAudioTrack()
    return {
      duration,
      dimensions: { width: await track.getDisplayWidth(), height: await track.getDisplayHeight() },
      encoding: {
        codec: await codecOf(track),
        audioCodec: sound && (await codecOf(sound)),
        fps: (await track.computePacketStats(240)).averagePacketRate,
      },
    }
  } catch (error) {
    const knownMessages: string[] = [mediaMessages.videoDuration, mediaMessages.videoUnreadable]
    throw error instanceof Error && knownMessages.includes(error.message)
      ? error
      : new Error(mediaMessages.videoUnreadable, { cause: error })
  } finally {
    input.dispose()
  }
}

/** A codec by its common name, otherwise as the file names it. The server uses the same names. */
async function codecOf(track: InputTrack): Promise<string> {
  return (await track.getCodec()) ?? String((await track.getInternalCodecId()) ?? 'unknown')
}

/** Whether the file ends before its media does, which the index does not show. */
async function isCutOff(file: File): Promise<boolean> {
  for (let at = 0, boxes = 0; at + 8 <= file.size && boxes < 10_000; boxes++) {
    const head = new DataView(await file.slice(at, at + 16).arrayBuffer())
    const short = head.getUint32(0)
    const bytes = short === 1 && head.byteLength === 16 ? Number(head.getBigUint64(8)) : short
    if (bytes < 8) return false
    const kind = String.fromCharCode(head.getUint8(4), head.getUint8(5), head.getUint8(6), head.getUint8(7))
    if (['moov', 'mdat', 'moof'].includes(kind) && at + bytes > file.size) return true
    at += bytes
  }
  return false
}

/** An early frame of a video as a JPEG of at most `posterBytes`; null if this browser cannot show one. */
export async function drawPoster(src: string, duration: number): Promise<Blob | null> {
  const video = document.createElement('video')
  try {
    video.muted = true
    video.playsInline = true
    video.preload = 'auto'
    const loaded = once(video, 'loadeddata')
    video.src = src
    video.load()
    await loaded
    // Only the sound can be played.
    if (video.videoWidth === 0) return null
    const seeked = once(video, 'seeked')
    // The first frame is often black.
    video.currentTime = Math.min(1, duration / 3)
    await seeked
    const scale = Math.min(1, posterSide / Math.max(video.videoWidth, video.videoHeight))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(video.videoWidth * scale))
    canvas.height = Math.max(1, Math.round(video.videoHeight * scale))
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
    const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
    return picture && picture.size <= mediaLimits.posterBytes ? picture : null
  } catch {
    return null
  } finally {
    video.removeAttribute('src')
    video.load()
  }
}

async function once(video: HTMLVideoElement, event: 'loadeddata' | 'seeked'): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`no ${event} in time`)), eventTimeoutMs)
  video.addEventListener(event, () => resolve(), { once: true })
  video.addEventListener('error', () => reject(new Error('this browser cannot show the video')), { once: true })
  await promise.finally(() => clearTimeout(timer))
}
