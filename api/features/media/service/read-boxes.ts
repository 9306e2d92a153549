import * as fs from 'node:fs/promises'

/** What the box structure of an MP4 or MOV file says (platform-apis 3.5: moov first, no edit lists). */
export type BoxFacts = {
  /** The index comes before the media, so that a player may start at once. */
  moovFirst: boolean
  /** A track's timing is changed by an edit list. */
  editList: boolean
  /** Media is missing at the end, or there is no index at all. */
  truncated: boolean
  /** Bytes of the index. */
  moovBytes: number
}

type Box = { type: string; start: number; body: number; end: number }

const mostBoxes = 100_000

/** Reads the box structure; only box heads and edit lists are read, never media. Throws when the file cannot be read. */
export async function readBoxes(file: string): Promise<BoxFacts> {
  const handle = await fs.open(file, 'r')
  try {
    const size = (await handle.stat()).size
    const top = await children(handle, 0, size)
    const moov = top.find((box) => box.type === 'moov')
    const media = top.find((box) => box.type === 'mdat' || box.type === 'moof')
    const cut = top.some((box) => ['moov', 'mdat', 'moof'].includes(box.type) && box.end > size)
    if (!moov || cut) return { moovFirst: false, editList: false, truncated: true, moovBytes: 0 }
    let editList = false
    for (const track of await children(handle, moov.body, moov.end)) {
      if (track.type === 'trak' && (await isEdited(handle, track))) editList = true
    }
    return { moovFirst: !media || moov.start < media.start, editList, truncated: false, moovBytes: moov.end - moov.start }
  } finally {
    await handle.close()
  }
}

async function children(handle: fs.FileHandle, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = []
  for (let at = from; at + 8 <= to && boxes.length < mostBoxes; ) {
    const head = await read(handle, at, 16)
    let bytes = head.readUInt32BE(0)
    let body = at + 8
    if (bytes === 1) {
      bytes = Number(head.readBigUInt64BE(8))
      body = at + 16
    } else if (bytes === 0) bytes = to - at
    if (bytes < body - at) break
    boxes.push({ type: head.toString('latin1', 4, 8), start: at, body, end: at + bytes })
    at += bytes
  }
  return boxes
}

/** One edit that plays everything from the first sample on changes nothing. */
async function isEdited(handle: fs.FileHandle, track: Box): Promise<boolean> {
  const edits = (await children(handle, track.body, track.end)).find((box) => box.type === 'edts')
  const list = edits && (await children(handle, edits.body, edits.end)).find((box) => box.type === 'elst')
  if (!list) return false
  const head = await read(handle, list.body, 28)
  const entries = head.readUInt32BE(4)
  if (entries !== 1) return entries > 1
  return head.readUInt8(0) === 1 ? head.readBigInt64BE(16) !== 0n : head.readInt32BE(12) !== 0
}

/** Bytes at a place; zeros beyond the end of the file. */
async function read(handle: fs.FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  await handle.read(buffer, 0, length, at)
  return buffer
}
