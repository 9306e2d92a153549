import * as fs from 'node:fs'

export type BoxFacts = { moovFirst: boolean; editLists: boolean }

type Box = { type: string; start: number; end: number; body: number }

/** Reads the box structure of an MP4 or MOV file: whether the index comes first, and whether an edit list changes the timing. */
export function readBoxes(path: string): BoxFacts {
  const handle = fs.openSync(path, 'r')
  try {
    const size = fs.fstatSync(handle).size
    const top = children(handle, 0, size)
    const moov = top.find((box) => box.type === 'moov')
    const mdat = top.find((box) => box.type === 'mdat')
    if (!moov) return { moovFirst: false, editLists: false }
    const tracks = children(handle, moov.body, moov.end).filter((box) => box.type === 'trak')
    return { moovFirst: !mdat || moov.start < mdat.start, editLists: tracks.some((track) => isEdited(handle, track)) }
  } finally {
    fs.closeSync(handle)
  }
}

function children(handle: number, from: number, to: number): Box[] {
  const boxes: Box[] = []
  let at = from
  while (at + 8 <= to && boxes.length < 10_000) {
    const head = bytes(handle, at, 16)
    let size = head.readUInt32BE(0)
    let body = at + 8
    if (size === 1) {
      size = Number(head.readBigUInt64BE(8))
      body = at + 16
    } else if (size === 0) size = to - at
    if (size < 8) break
    boxes.push({ type: head.toString('latin1', 4, 8), start: at, end: Math.min(at + size, to), body })
    at += size
  }
  return boxes
}

/** A single edit that plays everything from the first sample changes nothing. */
function isEdited(handle: number, track: Box): boolean {
  const edts = children(handle, track.body, track.end).find((box) => box.type === 'edts')
  const elst = edts && children(handle, edts.body, edts.end).find((box) => box.type === 'elst')
  if (!elst) return false
  const head = bytes(handle, elst.body, 24)
  const long = head.readUInt8(0) === 1
  if (head.readUInt32BE(4) !== 1) return head.readUInt32BE(4) > 1
  return (long ? head.readBigInt64BE(16) : BigInt(head.readInt32BE(12))) !== 0n
}

function bytes(handle: number, at: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  fs.readSync(handle, buffer, 0, length, at)
  return buffer
}
