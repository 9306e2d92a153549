import * as fs from 'node:fs'
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny'
import sharp from 'sharp'
import { readBoxes } from './media-boxes.ts'
import type { MediaFacts } from './context.ts'

/**
 * Reads type, size and duration from a file's bytes. Never throws over the content: what cannot be read is
 * `application/octet-stream`, 0 × 0.
 */
export async function inspectMedia(path: string): Promise<MediaFacts> {
  const facts: MediaFacts = {
    type: 'application/octet-stream',
    bytes: fs.statSync(path).size,
    width: 0,
    height: 0,
    durationMs: 0,
    fps: 0,
    videoCodec: '',
    audioCodec: '',
    moovFirst: false,
    editLists: false,
  }
  return (await imageFacts(path, facts)) ?? (await videoFacts(path, facts)) ?? facts
}

async function imageFacts(path: string, facts: MediaFacts): Promise<MediaFacts | undefined> {
  try {
    const { mediaType: type, autoOrient } = await sharp(path).metadata()
    return type?.startsWith('image/') ? { ...facts, type, ...autoOrient } : undefined
  } catch {
    return undefined
  }
}

async function videoFacts(path: string, facts: MediaFacts): Promise<MediaFacts | undefined> {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS })
  try {
    const [mime, video, audio] = [
      await input.getMimeType(),
      await input.getPrimaryVideoTrack(),
      await input.getPrimaryAudioTrack(),
    ]
    const type = mime.split(';')[0]!.trim()
    const boxes = ['video/mp4', 'video/quicktime'].includes(type)
      ? readBoxes(path)
      : { moovFirst: false, editLists: false }
    return {
      ...facts,
      ...boxes,
      type,
      width: video?.displayWidth ?? 0,
      height: video?.displayHeight ?? 0,
      durationMs: Math.round((await input.computeDuration()) * 1000),
      fps: video ? (await video.computePacketStats(60)).averagePacketRate : 0,
      videoCodec: video?.codec ?? '',
      audioCodec: audio?.codec ?? '',
    }
  } catch {
    return undefined
  } finally {
    input.dispose()
  }
}
