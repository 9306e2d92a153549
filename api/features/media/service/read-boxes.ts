import * as fs from 'node:fs/promises'

/** Facts of an MP4's or MOV's box structure (docs/networks/instagram.md: moov first, no edit lists). */
export type BoxFacts = {
  /** The index precedes the media, so that a player may start at once. */
  moovFirst: boolean
  /** An edit list changes a track's timing. */
  editList: boolean
}

/** The box structure is truncated, or claims more than its own bytes or three minutes of video can contain. */
export class InvalidBoxes extends Error {}

const mebibyte = 1_048_576
/** Six times what three minutes at 240 frames a second need; a larger index is meant to fill memory. */
const maxMoovBytes = 32 * mebibyte
const maxFragmentBytes = 4 * mebibyte
const maxAllFragmentsBytes = 64 * mebibyte
const maxRandomAccessBytes = 2 * mebibyte
const maxBoxes = 100_000
const maxDepth = 16
const maxTracks = 32
/** Three minutes at 1,000 samples a second: four times as much as the fastest phone. */
const maxSamples = 180_000
/** Each moment of uncompressed audio is a sample: three minutes at 192,000 a second. */
const maxUncompressedSamples = 34_560_000
const maxRandomAccessPoints = 20_000

const uncompressedAudio = /^(?:raw |NONE|twos|sowt|in24|in32|fl32|fl64|lpcm|ipcm|fpcm|alaw|ulaw|ima4|MAC3|MAC6)$/

/** Boxes whose body is boxes. */
const containers = new Set(['trak', 'mdia', 'minf', 'dinf', 'stbl', 'edts', 'mvex', 'traf', 'mfra', 'udta'])

/** Tables, with the minimum bytes of an entry; the count follows version and flags. */
const tables: Record<string, number> = {
  stts: 8,
  ctts: 8,
  stsc: 12,
  stco: 4,
  co64: 8,
  stss: 4,
  stps: 4,
  dref: 8,
  stsd: 8,
  keys: 8,
}

type Box = { type: string; start: number; body: number; end: number }

/** What one track claims, summed over all tables of a kind: readers add up duplicates. */
class Track {
  id: number
  isAudio = false
  sampleFormats: string[] = []
  /** The number of samples by each table: of durations, composition offsets, chunks and sizes, and in fragments. */
  durationSamples = 0
  offsetSamples = 0
  chunkSamples = 0
  sizeSamples = 0
  fragmentSamples = 0
  chunks = 0
  /** The last entry of the chunk table, which covers all chunks from `first` on. */
  lastChunkRun = { first: 0, samplesPerChunk: 0 }

  constructor(id: number) {
    this.id = id
  }
}

/** What the whole file claims. */
class Claims {
  boxes = 0
  tracks: Track[] = []
  /** The total size of all samples. */
  sampleBytes = 0
  /** Default sample sizes of fragments, by track id. */
  defaultBytes = new Map<number, number>()
  editList = false
  /** The offsets of fragments that the random access index names. */
  indexedFragments: number[] = []
}

/**
 * Checks every count in a file's box structure against the box's own bytes and against three minutes of video, so that
 * a library which trusts these counts may read the file. Reads indexes only, never media. Throws InvalidBoxes.
 */
export async function readBoxes(file: string): Promise<BoxFacts> {
  await using handle = await fs.open(file, 'r')
  const fileBytes = (await handle.stat()).size
  const top = await topBoxes(handle, fileBytes)
  const moov = top.find((box) => box.type === 'moov')
  const media = top.find((box) => box.type === 'mdat' || box.type === 'moof')
  if (!moov) throw new InvalidBoxes('there is no index')
  const claims = new Claims()
  claims.boxes = top.length
  checkIndex(await readAll(handle, moov, maxMoovBytes), claims)
  const fragments = top.filter((box) => box.type === 'moof')
  if (fragments.reduce((sum, box) => sum + box.end - box.start, 0) > maxAllFragmentsBytes)
    throw new InvalidBoxes('the fragments have too large an index')
  for (const fragment of fragments) checkIndex(await readAll(handle, fragment, maxFragmentBytes), claims)
  const indexes = [...top.filter((box) => box.type === 'mfra'), ...(await indexFromFileEnd(handle, fileBytes))]
  for (const index of indexes) checkIndex(await readAll(handle, index, maxRandomAccessBytes), claims)
  const starts = new Set(fragments.map((box) => box.start))
  if (claims.indexedFragments.some((start) => !starts.has(start)))
    throw new InvalidBoxes('a fragment is named where there is none')
  checkTracks(claims.tracks)
  if (claims.sampleBytes > fileBytes) throw new InvalidBoxes('the samples have more bytes than the file')
  return { moovFirst: !media || moov.start < media.start, editList: claims.editList }
}

async function topBoxes(handle: fs.FileHandle, fileBytes: number): Promise<Box[]> {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= fileBytes;) {
    const box = await boxInFile(handle, at, fileBytes)
    if (!box) break
    if (boxes.length >= maxBoxes) throw new InvalidBoxes('there are too many boxes')
    boxes.push(box)
    if (['moov', 'mdat', 'moof'].includes(box.type) && box.end > fileBytes)
      throw new InvalidBoxes('the file is cut short')
    at = box.end
  }
  return boxes
}

/** The random access index (mfra) that the last four bytes point to: a reader follows them to any place. */
async function indexFromFileEnd(handle: fs.FileHandle, fileBytes: number): Promise<Box[]> {
  const word = Buffer.alloc(4)
  await handle.read(word, 0, 4, Math.max(0, fileBytes - 4))
  const start = fileBytes - word.readUInt32BE(0)
  if (start < 0 || start + 16 > fileBytes) return []
  const box = await boxInFile(handle, start, fileBytes)
  return box?.type === 'mfra' ? [box] : []
}

/** The box at `start`, with offsets into the file. */
async function boxInFile(handle: fs.FileHandle, start: number, fileBytes: number): Promise<Box | undefined> {
  const head = Buffer.alloc(16)
  await handle.read(head, 0, 16, start)
  const box = boxAt(head, 0, fileBytes - start)
  return box && { type: box.type, start, body: start + box.body, end: start + box.end }
}

async function readAll(handle: fs.FileHandle, { type, start, end }: Box, maxBytes: number): Promise<Buffer> {
  if (end - start > maxBytes) throw new InvalidBoxes(`${type} has too many bytes`)
  const bytes = Buffer.alloc(end - start)
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
  if (bytesRead < bytes.length) throw new InvalidBoxes('the file is cut short')
  return bytes
}

/**
 * The box at `at`, with offsets into `bytes`; undefined without a valid header. A size of zero extends to the end of
 * the parent, which is `available` bytes away.
 */
function boxAt(bytes: Buffer, at: number, available: number): Box | undefined {
  if (at + 8 > bytes.length) return undefined
  let size = bytes.readUInt32BE(at)
  let headerBytes = 8
  if (size === 1) {
    if (at + 16 > bytes.length) return undefined
    size = Number(bytes.readBigUInt64BE(at + 8))
    headerBytes = 16
  } else if (size === 0) size = available
  return size < headerBytes
    ? undefined
    : { type: bytes.toString('latin1', at + 4, at + 8), start: at, body: at + headerBytes, end: at + size }
}

/** Checks a `moov`, `moof` or `mfra` that was read whole. */
function checkIndex(bytes: Buffer, claims: Claims): void {
  const outer = boxAt(bytes, 0, bytes.length)
  if (outer) checkChildren(bytes, outer.body, bytes.length, claims, undefined, 0)
}

function checkChildren(
  bytes: Buffer,
  from: number,
  to: number,
  claims: Claims,
  parentTrack: Track | undefined,
  depth: number,
): void {
  if (depth > maxDepth) throw new InvalidBoxes('boxes are nested too deeply')
  let track = parentTrack
  for (let at = from; at + 8 <= to;) {
    const box = boxAt(bytes.subarray(0, to), at, to - at)
    if (!box) return
    if (++claims.boxes > maxBoxes) throw new InvalidBoxes('there are too many boxes')
    const isChecked = containers.has(box.type) || Object.hasOwn(tables, box.type) || Object.hasOwn(boxChecks, box.type)
    if (box.end > to) {
      if (isChecked) throw new InvalidBoxes(`${box.type} is larger than its parent`)
      return
    }
    if (box.type === 'moov' || box.type === 'moof') throw new InvalidBoxes(`${box.type} is inside another index`)
    if (box.type === 'trak') track = addTrack(claims)
    const body = bytes.subarray(box.body, box.end)
    if (box.type === 'traf') track = undefined
    if (box.type === 'tfhd') track = trackOf(claims, body)
    const entryBytes = tables[box.type]
    if (entryBytes !== undefined) checkedCount(box.type, body, 4, entryBytes)
    boxChecks[box.type]?.(body, claims, track)
    const skipped = box.type === 'meta' ? metaHeaderBytes(body) : 0
    if (containers.has(box.type) || box.type === 'meta')
      checkChildren(bytes, box.body + skipped, box.end, claims, track, depth + 1)
    at = box.end
  }
}

/** The number of entries that a table claims. Throws InvalidBoxes when they do not fit into its bytes. */
function checkedCount(type: string, body: Buffer, countAt: number, entryBytes: number): number {
  if (body.length < countAt + 4) throw new InvalidBoxes(`${type} is cut short`)
  const count = body.readUInt32BE(countAt)
  if (count * entryBytes > body.length - countAt - 4)
    throw new InvalidBoxes(`${type} claims ${count} entries in ${body.length} bytes`)
  return count
}

/** Sums a 32-bit field of `count` entries, which is first at `at` and then each `entryBytes`. */
function sumField(body: Buffer, count: number, at: number, entryBytes: number): number {
  let sum = 0
  for (let n = 0; n < count; n++) sum += body.readUInt32BE(at + n * entryBytes)
  return sum
}

function checkTracks(tracks: readonly Track[]): void {
  for (const track of tracks) {
    const isUncompressed =
      track.isAudio &&
      track.offsetSamples === 0 &&
      track.sampleFormats.length > 0 &&
      track.sampleFormats.every((format) => uncompressedAudio.test(format))
    const max = isUncompressed ? maxUncompressedSamples : maxSamples
    const { first, samplesPerChunk } = track.lastChunkRun
    const chunkSamples = track.chunkSamples + Math.max(1, track.chunks - first + 1) * samplesPerChunk
    for (const claimed of [track.durationSamples, track.offsetSamples, chunkSamples, track.sizeSamples]) {
      if (claimed > max) throw new InvalidBoxes(`a track claims ${claimed} samples`)
    }
    if (track.fragmentSamples > maxSamples)
      throw new InvalidBoxes(`a track claims ${track.fragmentSamples} samples in its fragments`)
    if (track.chunks > maxSamples || first > track.chunks + 1)
      throw new InvalidBoxes(`a track claims ${Math.max(track.chunks, first)} chunks`)
  }
}

/** The children of `meta` follow immediately in QuickTime, and after four zero bytes in MP4. */
const metaHeaderBytes = (body: Buffer) => (body.length >= 4 && body.readUInt32BE(0) === 0 ? 4 : 0)

function addTrack(claims: Claims, id = -1): Track {
  if (claims.tracks.length >= maxTracks) throw new InvalidBoxes('there are too many tracks')
  const track = new Track(id)
  claims.tracks.push(track)
  return track
}

function trackOf(claims: Claims, body: Buffer): Track {
  if (body.length < 8) throw new InvalidBoxes('tfhd is cut short')
  const id = body.readUInt32BE(4)
  return claims.tracks.find((track) => track.id === id) ?? addTrack(claims, id)
}

/** Reads and checks the claims of a box by its type; reads no bytes beyond the box. */
const boxChecks: Record<string, (body: Buffer, claims: Claims, track: Track | undefined) => void> = {
  tkhd(body, _claims, track) {
    const at = body[0] === 1 ? 20 : 12
    if (track && body.length >= at + 4) track.id = body.readUInt32BE(at)
  },
  elst(body, claims) {
    const isLong = body[0] === 1
    const entries = checkedCount('elst', body, 4, isLong ? 20 : 12)
    // A single edit that plays everything from the first sample changes nothing.
    const isPlain =
      entries === 0 || (entries === 1 && (isLong ? body.readBigInt64BE(16) === 0n : body.readInt32BE(12) === 0))
    if (!isPlain) claims.editList = true
  },
  hdlr(body, _claims, track) {
    const kind = body.toString('latin1', 8, 12)
    // A track of a MOV has handlers of other kinds too, for its data and its metadata.
    if (track && (kind === 'soun' || kind === 'vide')) track.isAudio = kind === 'soun'
  },
  stsd(body, _claims, track) {
    for (let at = 8; at + 8 <= body.length && track;) {
      const entry = boxAt(body, at, body.length - at)
      if (!entry) return
      track.sampleFormats.push(entry.type)
      at = entry.end
    }
  },
  stts(body, _claims, track) {
    if (track) track.durationSamples += sumField(body, body.readUInt32BE(4), 8, 8)
  },
  ctts(body, _claims, track) {
    if (track) track.offsetSamples += sumField(body, body.readUInt32BE(4), 8, 8)
  },
  stco(body, _claims, track) {
    if (track) track.chunks += body.readUInt32BE(4)
  },
  co64(body, _claims, track) {
    if (track) track.chunks += body.readUInt32BE(4)
  },
  stsc(body, _claims, track) {
    const count = body.readUInt32BE(4)
    for (let n = 0; n < count && track; n++) {
      const [first, samplesPerChunk] = [body.readUInt32BE(8 + n * 12), body.readUInt32BE(12 + n * 12)]
      // The next entry says where this one's chunks end; `checkTracks` adds those of the last entry.
      const previous = track.lastChunkRun
      if (first < previous.first) throw new InvalidBoxes('the chunks are out of order')
      track.chunkSamples += previous.first === 0 ? 0 : (first - previous.first) * previous.samplesPerChunk
      track.lastChunkRun = { first, samplesPerChunk }
    }
  },
  stsz(body, claims, track) {
    if (body.length < 12) throw new InvalidBoxes('stsz is cut short')
    const [size, count] = [body.readUInt32BE(4), body.readUInt32BE(8)]
    if (track) track.sizeSamples += count
    if (size > 0) {
      claims.sampleBytes += size * count
      return
    }
    checkedCount('stsz', body, 8, 4)
    claims.sampleBytes += sumField(body, count, 12, 4)
  },
  stz2(body, _claims, track) {
    if (body.length < 12) throw new InvalidBoxes('stz2 is cut short')
    const count = body.readUInt32BE(8)
    if ((count * (body[7] ?? 0)) / 8 > body.length - 12) throw new InvalidBoxes(`stz2 claims ${count} entries`)
    if (track) track.sizeSamples += count
  },
  sidx(body) {
    const at = body[0] === 1 ? 30 : 22
    if (body.length < at + 2 || body.readUInt16BE(at) * 12 > body.length - at - 2)
      throw new InvalidBoxes('sidx claims more entries than it has')
  },
  trex(body, claims) {
    if (body.length >= 24) claims.defaultBytes.set(body.readUInt32BE(4), body.readUInt32BE(16))
  },
  tfhd(body, claims) {
    const flags = body.readUIntBE(1, 3)
    if ((flags & 0x10) === 0) return
    const at = 8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0) + (flags & 0x8 ? 4 : 0)
    if (body.length >= at + 4) claims.defaultBytes.set(body.readUInt32BE(4), body.readUInt32BE(at))
  },
  trun(body, claims, track) {
    if (body.length < 8) throw new InvalidBoxes('trun is cut short')
    const [flags, count] = [body.readUIntBE(1, 3), body.readUInt32BE(4)]
    const firstEntryAt = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0)
    const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag)
    const entryBytes = fields.length * 4
    if (firstEntryAt + count * entryBytes > body.length)
      throw new InvalidBoxes(`trun claims ${count} samples in ${body.length} bytes`)
    if (!track) throw new InvalidBoxes('trun belongs to no track')
    track.fragmentSamples += count
    if (!(flags & 0x200)) {
      claims.sampleBytes += count * (claims.defaultBytes.get(track.id) ?? 0)
      return
    }
    const sizeAt = firstEntryAt + (flags & 0x100 ? 4 : 0)
    claims.sampleBytes += sumField(body, count, sizeAt, entryBytes)
  },
  tfra(body, claims) {
    if (body.length < 16) throw new InvalidBoxes('tfra is cut short')
    const lengths = body.readUInt32BE(8)
    const numberBytes = ((lengths >> 4) & 3) + ((lengths >> 2) & 3) + (lengths & 3) + 3
    const width = body[0] === 1 ? 8 : 4
    const entryBytes = 2 * width + numberBytes
    const count = checkedCount('tfra', body, 12, entryBytes)
    if (claims.indexedFragments.length + count > maxRandomAccessPoints)
      throw new InvalidBoxes(`tfra claims ${count} entries`)
    for (let n = 0; n < count; n++) {
      const at = 16 + n * entryBytes + width
      claims.indexedFragments.push(width === 8 ? Number(body.readBigUInt64BE(at)) : body.readUInt32BE(at))
    }
  },
  saiz(body) {
    const at = (body[3] ?? 0) & 1 ? 12 : 4
    if (body.length < at + 5) throw new InvalidBoxes('saiz is cut short')
    const count = body.readUInt32BE(at + 1)
    if (count > (body[at] === 0 ? body.length - at - 5 : maxSamples))
      throw new InvalidBoxes(`saiz claims ${count} entries`)
  },
  saio(body) {
    checkedCount('saio', body, (body[3] ?? 0) & 1 ? 12 : 4, body[0] === 0 ? 4 : 8)
  },
  senc(body) {
    if (body.length < 8 || body.readUInt32BE(4) > maxSamples) throw new InvalidBoxes('senc claims too many entries')
  },
}
