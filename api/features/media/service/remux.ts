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
import { readBoxes, InvalidBoxes, type BoxFacts } from './read-boxes.ts'
import { RefusedFile } from './refused-file.ts'

const writeBytes = 2 * 1_048_576

/** The video cannot be remuxed, so a retry would fail the same way. */
class CannotCopy extends RefusedFile {}

/**
 * Remuxes a video, with unchanged frames, into an MP4 whose index is first and that has no edit list. Streams from file
 * to file. Throws CannotCopy when a track cannot be copied.
 */
export async function remux(from: string, to: string): Promise<void> {
  await checkBoxes(from)
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
    // Frames before zero are hidden by an edit list. Without one they are shown, so all tracks are moved to start
    // there.
    const shift = Math.max(0, -(await video.getFirstTimestamp()))
    const tracks = [await videoTrack(output, video, shift), ...(audio ? [await audioTrack(output, audio, shift)] : [])]
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
  const result = await checkBoxes(to)
  if (!result.moovFirst || result.editList) throw new CannotCopy('the video kept an edit list or its index at the end')
}

/** Throws CannotCopy. Checks again at each use: a stored file may be older than these rules. */
async function checkBoxes(file: string): Promise<BoxFacts> {
  try {
    return await readBoxes(file)
  } catch (error) {
    throw error instanceof InvalidBoxes ? new CannotCopy(error.message) : error
  }
}

type Track = {
  packets: AsyncGenerator<EncodedPacket, void, unknown>
  add: (packet: EncodedPacket) => Promise<void>
  close: () => void
}

async function videoTrack(output: Output, track: InputVideoTrack, shift: number): Promise<Track> {
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

async function audioTrack(output: Output, track: InputAudioTrack, shift: number): Promise<Track> {
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
 * A track's packets, shifted, with the first one at zero: a late start becomes a longer first frame, which needs no
 * edit list. Audio before zero is left out.
 */
async function* fromZero(track: InputVideoTrack | InputAudioTrack, shift: number) {
  let hasStarted = false
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const start = packet.timestamp + shift
    const end = start + packet.duration
    if (track.isAudioTrack() && end <= 0) continue
    const isFirst = !hasStarted
    hasStarted = true
    const timestamp = isFirst ? 0 : Math.max(0, start)
    yield packet.clone({ timestamp, duration: isFirst ? Math.max(end, 0) : packet.duration })
  }
}

/** Adds the packets of all tracks interleaved by time, which players prefer and which needs little memory. */
async function copyInterleaved(tracks: Track[]): Promise<void> {
  const lanes = await Promise.all(tracks.map(async (track) => ({ track, next: await track.packets.next() })))
  for (;;) {
    const [lane] = lanes.toSorted((a, b) => timeOf(a.next) - timeOf(b.next))
    if (!lane || lane.next.done) return
    await lane.track.add(lane.next.value)
    lane.next = await lane.track.packets.next()
    if (lane.next.done) lane.track.close()
  }
}

function timeOf(next: IteratorResult<EncodedPacket, void>): number {
  return next.done ? Infinity : next.value.timestamp
}
