import * as fs from 'node:fs/promises'

/** Facts of an MP4's or MOV's box structure (docs/networks/instagram.md: moov first, no edit lists). */
export type BoxFacts = {
  /** The index is before the media, so that a player may start at once. */
  moovFirst: boolean
  /** An edit list changes a track's timing. */
  editList: boolean
}

/** The box structure is truncated, or claims more than its own bytes or three minutes of video can contain. */
export class UnsoundBoxes extends Error {}

const mebibyte = 1_048_576
/** Three minutes at 240 frames a second need a sixth of it; a larger index is meant to fill memory. */
const mostMoovBytes = 32 * mebibyte
const mostFragmentBytes = 4 * mebibyte
const mostFragmentsBytes = 64 * mebibyte
const mostRandomAccessBytes = 2 * mebibyte
const mostBoxes = 100_000
const mostDepth = 16
const mostTracks = 32
/** Three minutes at 1,000 samples a second: four times as much as the fastest phone. */
const mostSamples = 180_000
/** Uncompressed audio counts each moment as a sample: three minutes at 192,000 a second. */
const mostSoundMoments = 34_560_000
const mostRandomAccessPoints = 20_000

/** Uncompressed audio formats. */
const uncompressedSound = [
  'raw ',
  'NONE',
  'twos',
  'sowt',
  'in24',
  'in32',
  'fl32',
  'fl64',
  'lpcm',
  'ipcm',
  'fpcm',
  'alaw',
  'ulaw',
  'ima4',
  'MAC3',
  'MAC6',
]

/** Container boxes, and the bytes before their first child. */
const containers: Record<string, number> = {
  trak: 0,
  mdia: 0,
  minf: 0,
  dinf: 0,
  stbl: 0,
  edts: 0,
  mvex: 0,
  traf: 0,
  mfra: 0,
  udta: 0,
}

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

/** The claims of one track, summed over all tables of a kind: readers add up duplicates. */
type Track = {
  id: number
  isSound: boolean
  /** The formats of its samples. */
  formats: string[]
  /** Samples by durations, composition offsets, chunks, sizes, and in fragments. */
  durations: number
  offsets: number
  inChunks: number
  sizes: number
  inFragments: number
  chunks: number
  /** The offset of the last entry of the chunk table, which covers all following chunks, and its samples per chunk. */
  lastChunks: { first: number; samples: number }
}

type Claims = {
  fileBytes: number
  boxes: number
  tracks: Track[]
  /** The bytes of all samples together. */
  sampleBytes: number
  /** Default sample sizes of fragments, by track. */
  defaultBytes: Map<number, number>
  editList: boolean
  /** Offsets of fragments in the random access index. */
  fragmentsNamed: number[]
}

/**
 * Reads the box structure of a file and checks every count in it against the box's own bytes and against three minutes
 * of video, so that a library which trusts them may read the file. Reads indexes only, never media. Throws
 * UnsoundBoxes.
 */
export async function readBoxes(file: string): Promise<BoxFacts> {
  const handle = await fs.open(file, 'r')
  try {
    const fileBytes = (await handle.stat()).size
    const top = await topBoxes(handle, fileBytes)
    const moov = top.find((box) => box.type === 'moov')
    const media = top.find((box) => box.type === 'mdat' || box.type === 'moof')
    if (!moov) throw new UnsoundBoxes('there is no index')
    const claims: Claims = {
      fileBytes,
      boxes: top.length,
      tracks: [],
      sampleBytes: 0,
      defaultBytes: new Map(),
      editList: false,
      fragmentsNamed: [],
    }
    judge(await readAll(handle, moov, mostMoovBytes), claims)
    const fragments = top.filter((box) => box.type === 'moof')
    if (fragments.reduce((sum, box) => sum + box.end - box.start, 0) > mostFragmentsBytes)
      throw new UnsoundBoxes('the fragments have too large an index')
    for (const fragment of fragments) judge(await readAll(handle, fragment, mostFragmentBytes), claims)
    for (const access of [...top.filter((box) => box.type === 'mfra'), ...(await accessAtTheEnd(handle, fileBytes))]) {
      judge(await readAll(handle, access, mostRandomAccessBytes), claims)
    }
    const starts = new Set(fragments.map((box) => box.start))
    if (claims.fragmentsNamed.some((start) => !starts.has(start)))
      throw new UnsoundBoxes('a fragment is named where there is none')
    judgeTracks(claims)
    return { moovFirst: !media || moov.start < media.start, editList: claims.editList }
  } finally {
    await handle.close()
  }
}

async function topBoxes(handle: fs.FileHandle, fileBytes: number): Promise<Box[]> {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= fileBytes;) {
    const head = Buffer.alloc(16)
    await handle.read(head, 0, 16, at)
    const box = boxAt(head, 0, fileBytes - at)
    if (!box) break
    if (boxes.length >= mostBoxes) throw new UnsoundBoxes('there are too many boxes')
    boxes.push({ type: box.type, start: at, body: at + box.body, end: at + box.end })
    if (['moov', 'mdat', 'moof'].includes(box.type) && at + box.end > fileBytes)
      throw new UnsoundBoxes('the file is cut short')
    at += box.end
  }
  return boxes
}

/** The random access index (mfra) that the end of the file points to; a reader follows it anywhere. */
async function accessAtTheEnd(handle: fs.FileHandle, fileBytes: number): Promise<Box[]> {
  const word = Buffer.alloc(4)
  await handle.read(word, 0, 4, Math.max(0, fileBytes - 4))
  const start = fileBytes - word.readUInt32BE(0)
  if (start < 0 || start + 16 > fileBytes) return []
  const head = Buffer.alloc(16)
  await handle.read(head, 0, 16, start)
  const box = boxAt(head, 0, fileBytes - start)
  return box?.type === 'mfra' ? [{ type: 'mfra', start, body: start + box.body, end: start + box.end }] : []
}

async function readAll(handle: fs.FileHandle, { type, start, end }: Box, mostBytes: number): Promise<Buffer> {
  if (end - start > mostBytes) throw new UnsoundBoxes(`${type} has too many bytes`)
  const bytes = Buffer.alloc(end - start)
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
  if (bytesRead < bytes.length) throw new UnsoundBoxes('the file is cut short')
  return bytes
}

/**
 * The header of a box, relative to `bytes`; undefined where there is none. A size of zero extends to the end of its
 * parent.
 */
function boxAt(bytes: Buffer, at: number, room: number): Box | undefined {
  if (at + 8 > bytes.length) return undefined
  let size = bytes.readUInt32BE(at)
  let head = 8
  if (size === 1) {
    if (at + 16 > bytes.length) return undefined
    size = Number(bytes.readBigUInt64BE(at + 8))
    head = 16
  } else if (size === 0) size = room
  return size < head
    ? undefined
    : { type: bytes.toString('latin1', at + 4, at + 8), start: at, body: at + head, end: at + size }
}

/** Checks a `moov`, `moof` or `mfra` that was read whole. */
function judge(bytes: Buffer, claims: Claims): void {
  const outer = boxAt(bytes, 0, bytes.length)
  if (outer) judgeInside(bytes, outer.body, bytes.length, claims, undefined, 0)
}

function judgeInside(
  bytes: Buffer,
  from: number,
  to: number,
  claims: Claims,
  above: Track | undefined,
  depth: number,
): void {
  if (depth > mostDepth) throw new UnsoundBoxes('boxes stand in each other too deep')
  let track = above
  for (let at = from; at + 8 <= to;) {
    const box = boxAt(bytes.subarray(0, to), at, to - at)
    if (!box) return
    if (++claims.boxes > mostBoxes) throw new UnsoundBoxes('there are too many boxes')
    const isJudged =
      Object.hasOwn(containers, box.type) || Object.hasOwn(tables, box.type) || Object.hasOwn(judges, box.type)
    if (box.end > to) {
      if (isJudged) throw new UnsoundBoxes(`${box.type} is larger than what it stands in`)
      return
    }
    if (box.type === 'moov' || box.type === 'moof') throw new UnsoundBoxes(`${box.type} stands in another index`)
    if (box.type === 'trak') track = addTrack(claims, -1)
    const body = bytes.subarray(box.body, box.end)
    if (box.type === 'traf') track = undefined
    if (box.type === 'tfhd') track = trackOf(claims, body)
    const entryBytes = tables[box.type]
    if (entryBytes !== undefined) countIn(box.type, body, 4, entryBytes)
    judges[box.type]?.(body, claims, track)
    const skipped: number | undefined =
      containers[box.type] ?? (box.type === 'meta' ? bytesBeforeMeta(body) : undefined)
    if (skipped !== undefined) judgeInside(bytes, box.body + skipped, box.end, claims, track, depth + 1)
    at = box.end
  }
}

/** The number of entries that a table claims. Throws when they do not fit. */
function countIn(type: string, body: Buffer, countAt: number, entryBytes: number): number {
  if (body.length < countAt + 4) throw new UnsoundBoxes(`${type} is cut short`)
  const count = body.readUInt32BE(countAt)
  if (count * entryBytes > body.length - countAt - 4)
    throw new UnsoundBoxes(`${type} claims ${count} entries in ${body.length} bytes`)
  return count
}

/** Sums a 32-bit field over the entries of a checked table. */
function sumOf(body: Buffer, entryBytes: number, fieldAt: number): number {
  const count = body.readUInt32BE(4)
  let sum = 0
  for (let n = 0; n < count; n++) sum += body.readUInt32BE(8 + n * entryBytes + fieldAt)
  return sum
}

function judgeTracks(claims: Claims): void {
  for (const track of claims.tracks) {
    const isMoments =
      track.isSound &&
      track.offsets === 0 &&
      track.formats.length > 0 &&
      track.formats.every((format) => uncompressedSound.includes(format))
    const most = isMoments ? mostSoundMoments : mostSamples
    const { first, samples } = track.lastChunks
    const inChunks = track.inChunks + Math.max(1, track.chunks - first + 1) * samples
    for (const claimed of [track.durations, track.offsets, inChunks, track.sizes]) {
      if (claimed > most) throw new UnsoundBoxes(`a track claims ${claimed} samples`)
    }
    if (track.inFragments > mostSamples)
      throw new UnsoundBoxes(`a track claims ${track.inFragments} samples in its fragments`)
    if (track.chunks > mostSamples || first > track.chunks + 1)
      throw new UnsoundBoxes(`a track claims ${Math.max(track.chunks, first)} chunks`)
  }
  if (claims.sampleBytes > claims.fileBytes) throw new UnsoundBoxes('the samples have more bytes than the file')
}

/** In QuickTime the children of `meta` follow at once, in MP4 after four bytes of zero. */
const bytesBeforeMeta = (body: Buffer) => (body.length >= 4 && body.readUInt32BE(0) === 0 ? 4 : 0)

function addTrack(claims: Claims, id: number): Track {
  if (claims.tracks.length >= mostTracks) throw new UnsoundBoxes('there are too many tracks')
  const track: Track = {
    id,
    isSound: false,
    formats: [],
    durations: 0,
    offsets: 0,
    inChunks: 0,
    sizes: 0,
    inFragments: 0,
    chunks: 0,
    lastChunks: { first: 0, samples: 0 },
  }
  claims.tracks.push(track)
  return track
}

function trackOf(claims: Claims, body: Buffer): Track {
  if (body.length < 8) throw new UnsoundBoxes('tfhd is cut short')
  const id = body.readUInt32BE(4)
  return claims.tracks.find((track) => track.id === id) ?? addTrack(claims, id)
}

/** The claims of nested boxes; only the present bytes are read. */
const judges: Record<string, (body: Buffer, claims: Claims, track: Track | undefined) => void> = {
  tkhd(body, _claims, track) {
    const at = body[0] === 1 ? 20 : 12
    if (track && body.length >= at + 4) track.id = body.readUInt32BE(at)
  },
  elst(body, claims) {
    const isLong = body[0] === 1
    const entries = countIn('elst', body, 4, isLong ? 20 : 12)
    // A single edit that plays everything from the first sample changes nothing.
    const isPlain =
      entries === 0 || (entries === 1 && (isLong ? body.readBigInt64BE(16) === 0n : body.readInt32BE(12) === 0))
    if (!isPlain) claims.editList = true
  },
  hdlr(body, _claims, track) {
    if (track && body.length >= 12) track.isSound = body.toString('latin1', 8, 12) === 'soun'
  },
  stsd(body, _claims, track) {
    for (let at = 8; at + 8 <= body.length && track;) {
      const entry = boxAt(body, at, body.length - at)
      if (!entry) return
      track.formats.push(entry.type)
      at = entry.end
    }
  },
  stts(body, _claims, track) {
    if (track) track.durations += sumOf(body, 8, 0)
  },
  ctts(body, _claims, track) {
    if (track) track.offsets += sumOf(body, 8, 0)
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
      const [first, samples] = [body.readUInt32BE(8 + n * 12), body.readUInt32BE(12 + n * 12)]
      // An entry's number of chunks follows from the next entry, except for the last one.
      const before = track.lastChunks
      if (first < before.first) throw new UnsoundBoxes('the chunks are out of order')
      track.inChunks += before.first === 0 ? 0 : (first - before.first) * before.samples
      track.lastChunks = { first, samples }
    }
  },
  stsz(body, claims, track) {
    if (body.length < 12) throw new UnsoundBoxes('stsz is cut short')
    const [size, count] = [body.readUInt32BE(4), body.readUInt32BE(8)]
    if (track) track.sizes += count
    if (size > 0) {
      claims.sampleBytes += size * count
      return
    }
    countIn('stsz', body, 8, 4)
    for (let n = 0; n < count; n++) claims.sampleBytes += body.readUInt32BE(12 + n * 4)
  },
  stz2(body, _claims, track) {
    if (body.length < 12) throw new UnsoundBoxes('stz2 is cut short')
    const count = body.readUInt32BE(8)
    if ((count * (body[7] ?? 0)) / 8 > body.length - 12) throw new UnsoundBoxes(`stz2 claims ${count} entries`)
    if (track) track.sizes += count
  },
  sidx(body) {
    const at = body[0] === 1 ? 30 : 22
    if (body.length < at + 2 || body.readUInt16BE(at) * 12 > body.length - at - 2)
      throw new UnsoundBoxes('sidx claims more entries than it has')
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
    if (body.length < 8) throw new UnsoundBoxes('trun is cut short')
    const [flags, count] = [body.readUIntBE(1, 3), body.readUInt32BE(4)]
    const begin = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0)
    const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag)
    const entryBytes = fields.length * 4
    if (begin + count * entryBytes > body.length)
      throw new UnsoundBoxes(`trun claims ${count} samples in ${body.length} bytes`)
    if (!track) throw new UnsoundBoxes('trun belongs to no track')
    track.inFragments += count
    if (!(flags & 0x200)) {
      claims.sampleBytes += count * (claims.defaultBytes.get(track.id) ?? 0)
      return
    }
    const sizeAt = begin + (flags & 0x100 ? 4 : 0)
    for (let n = 0; n < count; n++) claims.sampleBytes += body.readUInt32BE(sizeAt + n * entryBytes)
  },
  tfra(body, claims) {
    if (body.length < 16) throw new UnsoundBoxes('tfra is cut short')
    const word = body.readUInt32BE(8)
    const numbers = ((word >> 4) & 3) + ((word >> 2) & 3) + (word & 3) + 3
    const width = body[0] === 1 ? 8 : 4
    const entryBytes = 2 * width + numbers
    const count = countIn('tfra', body, 12, entryBytes)
    if (claims.fragmentsNamed.length + count > mostRandomAccessPoints)
      throw new UnsoundBoxes(`tfra claims ${count} entries`)
    for (let n = 0; n < count; n++) {
      const at = 16 + n * entryBytes + width
      claims.fragmentsNamed.push(width === 8 ? Number(body.readBigUInt64BE(at)) : body.readUInt32BE(at))
    }
  },
  saiz(body) {
    const at = (body[3] ?? 0) & 1 ? 12 : 4
    if (body.length < at + 5) throw new UnsoundBoxes('saiz is cut short')
    const count = body.readUInt32BE(at + 1)
    if (count > (body[at] === 0 ? body.length - at - 5 : mostSamples))
      throw new UnsoundBoxes(`saiz claims ${count} entries`)
  },
  saio(body) {
    countIn('saio', body, (body[3] ?? 0) & 1 ? 12 : 4, body[0] === 0 ? 4 : 8)
  },
  senc(body) {
    if (body.length < 8 || body.readUInt32BE(4) > mostSamples) throw new UnsoundBoxes('senc claims too many entries')
  },
}
