import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../core/config.ts'
import { startBucket, type Bucket } from '../testing/bucket.ts'
import { openDiskSpace } from './disk-space.ts'
import { openStorage } from './open-storage.ts'
import type { Storage } from './storage.ts'

let bucket: Bucket
let folder: string
const opened: Partial<Record<'disk' | 's3', Storage>> = {}

const open = async (kind: 'disk' | 's3', env: Record<string, string> = {}) =>
  await openStorage(
    readConfig({ DATA_DIR: path.join(folder, kind), ...(kind === 's3' ? bucket.env : {}), ...env }),
    openDiskSpace(folder, { percent: 0, minBytes: 0 }),
  )

beforeAll(async () => {
  bucket = await startBucket()
  folder = fs.mkdtempSync(path.join(tmpdir(), 'flashsheet-storage-'))
  opened.disk = await open('disk')
  opened.s3 = await open('s3')
})
afterAll(async () => {
  await opened.disk?.stop()
  await opened.s3?.stop()
  await bucket.stop()
  fs.rmSync(folder, { recursive: true, force: true })
})

const bytesOf = async (storage: Storage, key: string, range?: { start: number; end: number }) =>
  await buffer(await storage.read(key, range))

describe.each(['disk', 's3'] as const)('storage on %s', (kind) => {
  const at = () => opened[kind]!

  test('reports absent objects as absent', async () => {
    expect(await at().size('none/original')).toBeUndefined()
    await expect(at().read('none/original')).rejects.toThrow()
    expect(await at().list('none')).toEqual([])
    await at().remove('none/original')
    expect(await at().partialUploads.bytes('none')).toBeUndefined()
    await at().partialUploads.remove('none')
  })

  test('returns what was stored, whole and in ranges, until it is removed', async () => {
    await at().put('a/one', Buffer.from('0123456789'))
    expect((await bytesOf(at(), 'a/one')).toString()).toBe('0123456789')
    expect((await bytesOf(at(), 'a/one', { start: 2, end: 4 })).toString()).toBe('234')
    expect(await at().size('a/one')).toBe(10)
    await at().put('a/one', Buffer.from('new'))
    expect((await bytesOf(at(), 'a/one')).toString()).toBe('new')
    await at().remove('a/one')
    expect(await at().size('a/one')).toBeUndefined()
  })

  test('lists a folder completely, without folders beside it', async () => {
    const keys = ['b/1', 'b/2', 'b/deep/3', 'b/deep/4', 'b/5']
    for (const key of [...keys, 'bb/6']) await at().put(key, Buffer.from(key))
    expect((await at().list('b')).sort()).toEqual(keys.toSorted())
  })

  test('pages through all objects once, and continues after any of them', async () => {
    const keys = ['p/1', 'p/2/a', 'p/2/b/c', 'p/2-other', 'p/3']
    const before = Date.now()
    for (const key of keys) await at().put(key, Buffer.from(key))
    const filesBehind = async (start?: string) => {
      const seen: { key: string; modifiedAt: Date }[] = []
      for (let page = await at().page(start, 2); ; page = await at().page(page.next, 2)) {
        expect(page.files.length).toBeLessThanOrEqual(2)
        seen.push(...page.files.filter(({ key }) => key.startsWith('p/')))
        if (page.next === undefined) return seen
      }
    }
    const found = await filesBehind()
    expect(found.map(({ key }) => key).toSorted()).toEqual(keys.toSorted())
    // A disk's clock may be coarser than ours.
    expect(
      found.every(({ modifiedAt }) => modifiedAt.getTime() > before - 5000 && modifiedAt.getTime() < Date.now() + 5000),
    ).toBe(true)
    // The last object of the previous page may have been deleted.
    await at().remove('p/2/a')
    const behind = (await filesBehind('p/2/a')).map(({ key }) => key)
    expect(behind).toEqual(found.map(({ key }) => key).slice(found.findIndex(({ key }) => key === 'p/2/a') + 1))
    for (const key of keys) await at().remove(key)
    expect(await filesBehind()).toEqual([])
  })

  test('puts an empty object in place of another, which may be missing', async () => {
    await at().putEmpty('marks/1')
    await at().putEmpty('marks/2', 'marks/1')
    await at().putEmpty('marks/3', 'marks/1')
    expect((await at().list('marks')).toSorted()).toEqual(['marks/2', 'marks/3'])
    expect(await at().size('marks/3')).toBe(0)
  })

  test('lists remaining objects while folders beside them are removed', async () => {
    const others = Array.from({ length: 200 }, (_, n) => `leaving/${n}/one`)
    await at().put('leaving/stays', Buffer.from('1'))
    for (const key of others) await at().putEmpty(key)
    const removed = Promise.all(others.map(async (key) => await at().remove(key)))
    for (let left = others.length; left > 0;) {
      const listed = await at().list('leaving')
      expect(listed).toContain('leaving/stays')
      left = listed.length - 1
    }
    await removed
  })

  test('puts an object in a folder that is removed at the same time', async () => {
    const storeAndRemove = async (key: string) => {
      for (let round = 0; round < 20; round++) {
        await at().put(key, Buffer.from('1'))
        await at().remove(key)
      }
    }
    await Promise.all([1, 2, 3, 4].map(async (n) => await storeAndRemove(`crossing/same/${n}`)))
    expect(await at().list('crossing')).toEqual([])
  })

  test('keeps the first of several concurrent writes', async () => {
    await Promise.all([1, 2, 3, 4].map(async (maker) => await at().putIfAbsent('c/one', Buffer.from(`maker ${maker}`))))
    const first = await bytesOf(at(), 'c/one')
    await at().putIfAbsent('c/one', Buffer.from('too late'))
    const file = await at().scratch.file()
    fs.writeFileSync(file, 'too late as well')
    await at().putFileIfAbsent('c/one', file)
    expect(await bytesOf(at(), 'c/one')).toEqual(first)
  })

  test('stores a large file in parts, and returns it as a local one', async () => {
    const bytes = randomBytes(20 * 1_048_576)
    const file = await at().scratch.file()
    fs.writeFileSync(file, bytes)
    await at().putFileIfAbsent('d/film', file)
    expect(await at().size('d/film')).toBe(bytes.length)
    await using local = await at().localFile('d/film')
    expect(fs.readFileSync(local.file).equals(bytes)).toBe(true)
  })

  test('turns a complete upload into an object', async () => {
    const bytes = randomBytes(9 * 1_048_576)
    const { partialUploads } = at()
    await partialUploads.receive('upload-1', Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]))
    expect(await partialUploads.bytes('upload-1')).toBe(bytes.length)
    const local = await partialUploads.localFile('upload-1')
    expect(fs.readFileSync(local.file).equals(bytes)).toBe(true)
    await partialUploads.flush('upload-1')
    await at().take('upload-1', 'e/original')
    await local[Symbol.asyncDispose]()
    expect(await partialUploads.bytes('upload-1')).toBeUndefined()
    expect((await bytesOf(at(), 'e/original')).equals(bytes)).toBe(true)
  })

  test('leaves nothing of a removed upload whose sender stopped', async () => {
    const { partialUploads } = at()
    const broken = async function* () {
      yield randomBytes(6 * 1_048_576)
      yield randomBytes(6 * 1_048_576)
      await Promise.reject(new Error('the sender is gone'))
    }
    await expect(partialUploads.receive('upload-2', Readable.from(broken()))).rejects.toThrow('the sender is gone')
    await partialUploads.remove('upload-2')
    expect(await partialUploads.bytes('upload-2')).toBeUndefined()
    expect(bucket.unfinished()).toBe(0)
  })

  test('deletes stale local files', async () => {
    const file = await at().scratch.file()
    fs.writeFileSync(file, 'half a film')
    await at().scratch.deleteStale(new Date(Date.now() - 60_000))
    expect(fs.existsSync(file)).toBe(true)
    await at().scratch.deleteStale(new Date(Date.now() + 60_000))
    expect(fs.existsSync(file)).toBe(false)
  })
})

test('does not count an object as stored because another write of it was under way', async () => {
  bucket.conflictNextWrite()
  await expect(opened.s3!.putIfAbsent('conflict/one', Buffer.from('one'))).rejects.toMatchObject({
    kind: 'unavailable',
  })
  expect(await opened.s3!.size('conflict/one')).toBeUndefined()
  await opened.s3!.putIfAbsent('conflict/one', Buffer.from('one'))
  bucket.conflictNextWrite()
  await opened.s3!.putIfAbsent('conflict/one', Buffer.from('other'))
  expect((await bytesOf(opened.s3!, 'conflict/one')).toString()).toBe('one')
})

test('sends a part again after its connection broke', async () => {
  bucket.breakPartUploads(2)
  const bytes = randomBytes(20 * 1_048_576)
  await opened.s3!.put('f/film', bytes)
  expect((await bytesOf(opened.s3!, 'f/film')).equals(bytes)).toBe(true)
  expect(bucket.unfinished()).toBe(0)
})

test('a download from a bucket waits for a slow reader longer than for a silent store', async () => {
  const silenceMs = 500
  const impatient = await open('s3', { S3_SILENCE_MS: String(silenceMs) })
  const bytes = randomBytes(2 * 1_048_576)
  await impatient.put('slow/film', bytes)
  try {
    const chunks: Buffer[] = []
    for await (const chunk of await impatient.read('slow/film')) {
      if (chunks.length === 0) await sleep(4 * silenceMs)
      chunks.push(chunk as Buffer)
    }
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
  } finally {
    await impatient.stop()
  }
})

test('a bucket answers although many downloads are not read further', async () => {
  await opened.s3!.put('slow/film', randomBytes(1_048_576))
  const downloads = await Promise.all(Array.from({ length: 60 }, async () => await opened.s3!.read('slow/film')))
  try {
    expect(await opened.s3!.size('slow/film')).toBe(1_048_576)
    expect(await opened.s3!.ready()).toBe(true)
  } finally {
    for (const download of downloads) (download as Readable).destroy()
  }
})

test('many requests at once are answered although the store has just closed the unused connections', async () => {
  await opened.s3!.put('idle/one', Buffer.from('1'))
  const askAll = async () =>
    await Promise.all(Array.from({ length: 60 }, async () => await opened.s3!.size('idle/one')))
  await askAll()
  bucket.closeIdle()
  expect(new Set(await askAll())).toEqual(new Set([1]))
})

test('a bucket that does not exist, or is not ours, is not ready', async () => {
  expect(await opened.s3!.ready()).toBe(true)
  for (const wrong of [{ S3_BUCKET: 'another' }, { S3_ACCESS_KEY_ID: 'AKOTHER' }] as Record<string, string>[]) {
    const storage = await open('s3', wrong)
    expect(await storage.ready()).toBe(false)
    // An error never counts as an absent object.
    if (wrong['S3_ACCESS_KEY_ID'] !== undefined) await expect(storage.size('a/one')).rejects.toThrow()
    await storage.stop()
  }
})

test('on disk no key leads outside the storage', async () => {
  const storage = path.join(folder, 'disk', 'storage')
  for (const key of ['../outside', `../${path.basename(storage)}-beside`, 'a/../../outside'])
    await expect(opened.disk!.put(key, Buffer.from('1'))).rejects.toThrow('outside the storage')
})

test('on disk nothing remains of a file that was stored twice, or not at all', async () => {
  const storage = path.join(folder, 'disk', 'storage')
  const file = await opened.disk!.scratch.file()
  fs.writeFileSync(file, 'one')
  await opened.disk!.putIfAbsent('once/one', Buffer.from('one'))
  await opened.disk!.putIfAbsent('once/one', Buffer.from('two'))
  await opened.disk!.putFileIfAbsent('once/one', file)
  fs.mkdirSync(path.join(storage, 'once', 'folder'))
  await expect(opened.disk!.put('once/folder', Buffer.from('one'))).rejects.toThrow()
  await expect(opened.disk!.putEmpty('once/two', 'once/one/none')).rejects.toMatchObject({ code: 'ENOTDIR' })
  expect(fs.readdirSync(path.join(storage, 'once')).toSorted()).toEqual(['folder', 'one'])
  expect(fs.existsSync(file)).toBe(false)
})

test('on disk an error never counts as an absent object', async () => {
  const loop = path.join(folder, 'disk', 'storage', 'loop')
  fs.symlinkSync(loop, loop)
  await expect(opened.disk!.size('loop')).rejects.toMatchObject({ code: 'ELOOP' })
})
