import { videoFixture } from '@flashsheet/sandbox/fixtures/videos'

/** A box of an MP4: its type and either child boxes or bytes. */
type Box = { type: string; inside: Box[] | Buffer }

const containers = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'mvex', 'udta']

function parse(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const body = bytes.subarray(at + 8, at + bytes.readUInt32BE(at))
    boxes.push({ type, inside: containers.includes(type) ? parse(body) : body })
  }
  return boxes
}

/** Bytes of a box. */
export function box(type: string, ...inside: Buffer[]): Buffer {
  const body = Buffer.concat(inside)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** 32-bit integers, as in a box's table. */
export function words(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [n, number] of numbers.entries()) bytes.writeUInt32BE(number, n * 4)
  return bytes
}

const serialize = ({ type, inside }: Box): Buffer =>
  box(type, Buffer.isBuffer(inside) ? inside : Buffer.concat(inside.map(serialize)))
/** The children of the first box of this type. */
const childOf = (boxes: Box[], type: string): Box[] => {
  const found = boxes.find((one) => one.type === type)
  if (!found || Buffer.isBuffer(found.inside)) throw new Error(`there is no ${type}`)
  return found.inside
}
const tablesOf = (trak: Box[]): Box[] => childOf(childOf(childOf(trak, 'mdia'), 'minf'), 'stbl')

/**
 * A valid video with a changed index at its end: `change` gets the index, its first track, and the tables of the first
 * and of the audio track.
 */
export function videoWith(change: (index: { moov: Box[]; trak: Box[]; stbl: Box[]; sound: Box[] }) => void): Buffer {
  const bytes = Buffer.from(videoFixture('landscape-5s.mp4'))
  const top = parse(bytes)
  const moov = childOf(top, 'moov')
  const trak = childOf(moov, 'trak')
  const second = moov.filter(({ type }) => type === 'trak').slice(1)
  change({ moov, trak, stbl: tablesOf(trak), sound: tablesOf(childOf(second, 'trak')) })
  // The old index becomes a `free` box, so that the offsets of the media stay valid.
  bytes.write('free', bytes.indexOf('moov', 0, 'latin1'), 'latin1')
  return Buffer.concat([bytes, serialize({ type: 'moov', inside: moov })])
}

/** A valid video in which one table of the first track is replaced or added. */
export function videoWithTable(type: string, body: Buffer): Buffer {
  return videoWith(({ stbl }) => {
    const at = stbl.findIndex((one) => one.type === type)
    stbl.splice(at < 0 ? stbl.length : at, at < 0 ? 0 : 1, { type, inside: body })
  })
}

/** A fragmented video whose first fragment claims `samples` samples in constant space. */
export function fragmentWith(samples: number): Buffer {
  const start = videoWith(({ moov, trak, stbl }) => {
    for (const [at, { type }] of stbl.entries())
      if (type !== 'stsd') stbl[at] = { type, inside: type === 'stsz' ? words(0, 0, 0) : words(0, 0) }
    moov.splice(
      0,
      moov.length,
      { type: 'mvhd', inside: childBytes(moov, 'mvhd') },
      { type: 'trak', inside: trak },
      { type: 'mvex', inside: [{ type: 'trex', inside: words(0, 1, 1, 512, 1, 0) }] },
    )
  })
  const track = box('traf', box('tfhd', words(0x20000, 1)), box('tfdt', words(0, 0)), box('trun', words(0, samples)))
  return Buffer.concat([start, box('moof', box('mfhd', words(0, 1)), track), box('mdat', Buffer.alloc(64))])
}

function childBytes(boxes: Box[], type: string): Buffer {
  const found = boxes.find((one) => one.type === type)
  if (!found || !Buffer.isBuffer(found.inside)) throw new Error(`there is no ${type}`)
  return found.inside
}

/** A JPEG marker with its segment. */
const segment = (kind: number, ...bytes: number[]) =>
  Buffer.from([0xff, kind, (bytes.length + 2) >> 8, (bytes.length + 2) & 255, ...bytes])

/** A valid gray progressive JPEG with `scans` scans of a few bytes each. */
export function manyScans(scans: number): Buffer {
  const side = 1024
  const blocks = (side / 8) ** 2
  // Each table has one symbol with the code 0.
  const table = (kind: number, symbol: number) => segment(0xc4, kind, 1, ...Array<number>(15).fill(0), symbol)
  // "The next 16,384 blocks, which are all, are finished": the code, and the run length in 14 bits.
  const bits = '0'.repeat(15)
  const packed = (text: string) =>
    Buffer.from(
      (text.match(/.{1,8}/g) ?? [])
        .map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2))
        .flatMap((byte) => (byte === 255 ? [255, 0] : [byte])),
    )
  const scan = Buffer.concat([segment(0xda, 1, 1, 0, 1, 63, 0), packed(bits)])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(0xc2, 8, side >> 8, side & 255, side >> 8, side & 255, 1, 1, 0x11, 0),
    table(0x00, 0),
    table(0x10, 0xe0),
    segment(0xda, 1, 1, 0, 0, 0, 0),
    packed('0'.repeat(blocks)),
    ...Array.from({ length: scans }, () => scan),
    Buffer.from([0xff, 0xd9]),
  ])
}
