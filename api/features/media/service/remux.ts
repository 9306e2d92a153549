import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  Mp4OutputFormat,
  Output,
  type EncodedPacket,
  type InputAudioTrack,
  type InputVideoTrack,
} from 'mediabunny'
import { isMachineFault, openVideo } from './inspect-video.ts'
import { readBoxes, UnsoundBoxes, type BoxFacts } from './read-boxes.ts'
import { RefusedFile } from './refused-file.ts'

const writeBytes = 2 * 1_048_576

/** The video is at fault: a retry would fail the same way. */
class CannotCopy extends RefusedFile {}

/**
 * Remuxes a video, with unchanged frames, into an MP4 whose index is first and that has no edit list. Streams from file
 * to file. Throws CannotCopy when a track cannot be copied.
 */
export async function remux(from: string, to: string): Promise<void> {
  await judgeBoxes(from)
  const input = openVideo(from)
  const output = new Output({
    // Reserves space for the index at the front, so that no frame is buffered in memory.
    format: new Mp4OutputFormat({ fastStart: 'reserve' }),
    target: new FilePathTarget(to, { chunked: true, chunkSize: writeBytes }),
  })
  try {
    const video = await input.getPrimaryVideoTrack()
    const audio = await input.getPrimaryAudioTrack()
    if (!video) throw new Error('the video has no picture')
    // Frames hidden by an edit list cannot be hidden without one: then everything starts with them, audio included.
    const shift = Math.max(0, -(await video.getFirstTimestamp()))
    const tracks = [
      await pictureTrack(output, video, shift),
      ...(audio ? [await soundTrack(output, audio, shift)] : []),
    ]
    await output.start()
    await copyInterleaved(tracks)
    await output.finalize()
  } catch (error) {
    await output.cancel().catch(() => {})
    if (isMachineFault(error)) throw error
    throw new CannotCopy(`the video cannot be copied: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    input.dispose()
  }
  const made = await judgeBoxes(to)
  if (!made.moovFirst || made.editList) throw new CannotCopy('the video kept an edit list or its index at the end')
}

/** Files accepted before these rules existed are checked now. */
async function judgeBoxes(file: string): Promise<BoxFacts> {
  try {
    return await readBoxes(file)
  } catch (error) {
    throw error instanceof UnsoundBoxes ? new CannotCopy(error.message) : error
  }
}

type Track = {
  packets: AsyncGenerator<EncodedPacket, void, unknown>
  add: (packet: EncodedPacket) => Promise<void>
  close: () => void
}

async function pictureTrack(output: Output, track: InputVideoTrack, shift: number): Promise<Track> {
  const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()]
  if (!codec || !decoderConfig) throw new Error('the picture is in a format that cannot be copied')
  const source = new EncodedVideoPacketSource(codec)
  const { packetCount } = await track.computePacketStats()
  output.addVideoTrack(source, {
    transformationMatrix: await track.getTransformationMatrix(),
    maximumPacketCount: packetCount,
  })
  return {
    packets: fromZero(track, shift),
    add: async (packet) => await source.add(packet, { decoderConfig }),
    close: () => source.close(),
  }
}

async function soundTrack(output: Output, track: InputAudioTrack, shift: number): Promise<Track> {
  const [codec, decoderConfig] = [await track.getCodec(), await track.getDecoderConfig()]
  if (!codec || !decoderConfig) throw new Error('the sound is in a format that cannot be copied')
  const source = new EncodedAudioPacketSource(codec)
  const { packetCount } = await track.computePacketStats()
  output.addAudioTrack(source, { languageCode: await track.getLanguageCode(), maximumPacketCount: packetCount })
  return {
    packets: fromZero(track, shift),
    add: async (packet) => await source.add(packet, { decoderConfig }),
    close: () => source.close(),
  }
}

/**
 * A track's packets with the first displayed one at zero and the others unchanged: a late start becomes a longer first
 * frame, which needs no edit list. Audio before zero is left out.
 */
async function* fromZero(
  track: InputVideoTrack | InputAudioTrack,
  shift: number,
): AsyncGenerator<EncodedPacket, void, unknown> {
  let begun = false
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const start = packet.timestamp + shift
    const end = start + packet.duration
    if (track.isAudioTrack() && end <= 0) continue
    const first = !begun
    begun = true
    const timestamp = first ? 0 : Math.max(0, start)
    yield packet.clone({ timestamp, duration: first ? Math.max(end, 0) : packet.duration })
  }
}

/** Adds the packets of all tracks interleaved by time, which players prefer and which needs little memory. */
async function copyInterleaved(tracks: Track[]): Promise<void> {
  const open = await Promise.all(tracks.map(async (track) => ({ track, next: await track.packets.next() })))
  for (;;) {
    const left = open.filter((lane) => !lane.next.done)
    const lane = left.reduce<(typeof open)[number] | undefined>(
      (a, b) => (a && timeOf(a.next) <= timeOf(b.next) ? a : b),
      undefined,
    )
    if (!lane || lane.next.done) return
    await lane.track.add(lane.next.value)
    lane.next = await lane.track.packets.next()
    if (lane.next.done) lane.track.close()
  }
}

function timeOf(next: IteratorResult<EncodedPacket, void>): number {
  return next.done ? Infinity : next.value.timestamp
}
