import { declaredType, videoDurationRefusal } from '@flashsheet/contracts/media/rules'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { describe, expect, test } from 'vitest'
import { cleanFileName } from './file-name.ts'
import { parseRange } from './range.ts'
import { sizeRule } from './refusals.ts'
import { sniffType } from './sniff.ts'

const head = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(32)])

describe('the type of a file by its first bytes', () => {
  test.each([
    ['a JPEG', head('\u00ff\u00d8\u00ff\u00e1'), 'image/jpeg'],
    ['a PNG', head('\u0089PNG\r\n\u001a\n'), 'image/png'],
    ['an MP4', head('\u0000\u0000\u0000\u0020ftypisom'), 'video/mp4'],
    ['a MOV', head('\u0000\u0000\u0000\u0014ftypqt  '), 'video/quicktime'],
    ['an old MOV', head('\u0000\u0000\u0000\u0008wide'), 'video/quicktime'],
    ['a HEIC', head('\u0000\u0000\u0000\u0018ftypheic'), undefined],
    ['an AVIF', head('\u0000\u0000\u0000\u001cftypavif'), undefined],
    ['a GIF', head('GIF89a'), undefined],
    ['a WebM', head('\u001aE\u00df\u00a3'), undefined],
    ['too few bytes', Buffer.from([0xff, 0xd8, 0xff]), undefined],
    ['nothing', Buffer.alloc(0), undefined],
  ])('%s', (_what, bytes, type) => {
    expect(sniffType(bytes)).toBe(type)
  })
})

describe('the size limit by the claimed type', () => {
  test.each([
    ['image/jpeg', 'a.png', 'image/jpeg'],
    ['IMAGE/JPG; x=1', 'a', 'image/jpeg'],
    ['', 'Clip.MOV', 'video/quicktime'],
    ['application/octet-stream', 'clip.mp4', 'video/mp4'],
    [null, 'clip', ''],
    ['text/plain', 'a.jpg', 'text/plain'],
  ])('%s and %s is %s', (type, name, claimed) => {
    expect(declaredType(type, name)).toBe(claimed)
  })

  test('an unknown type has the limit of a video', () => {
    expect(sizeRule('image/png').bytes).toBe(mediaLimits.imageBytes)
    expect(sizeRule('video/mp4').bytes).toBe(mediaLimits.videoBytes)
  })
})

test('a duration is compared in tenths of a second', () => {
  expect([0.1, 179.9, 180, 180.04].map(videoDurationRefusal)).toEqual([undefined, undefined, undefined, undefined])
  expect([180.06, 180.1, 181, 1e9].map(videoDurationRefusal)).toEqual(
    Array.from({ length: 4 }, () => mediaMessages.videoDuration),
  )
  expect([0, -1, NaN, Infinity].map(videoDurationRefusal)).toEqual(
    Array.from({ length: 4 }, () => mediaMessages.videoUnreadable),
  )
})

describe('a file name', () => {
  test.each([
    ['a.jpg', 'a.jpg'],
    ['C:\\fotos\\arm.jpg', 'arm.jpg'],
    ['../../etc/passwd', 'passwd'],
    ['\u0000\u001f\u202egpj.exe', 'gpj.exe'],
    ['', 'Untitled'],
    ['..', 'Untitled'],
    [null, 'Untitled'],
  ])('%j is stored as %j', (raw, clean) => {
    expect(cleanFileName(raw)).toBe(clean)
  })

  test('keeps its extension when it is too long', () => {
    const clean = cleanFileName(`${'ä'.repeat(400)}.jpeg`)
    expect(clean).toHaveLength(255)
    expect(clean.endsWith('ä.jpeg')).toBe(true)
  })
})

describe('a range', () => {
  test.each([
    [undefined, undefined],
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=50-5000', { start: 50, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-5', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,5-6', undefined],
    ['lines=0-1', undefined],
  ])('%j of 100 bytes is %j', (header, range) => {
    expect(parseRange(header, 100)).toEqual(range)
  })
})
