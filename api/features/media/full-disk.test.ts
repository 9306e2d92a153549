import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { uploads } from '@flashsheet/db/schema/media'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorTable, toAppError } from '../../core/errors.ts'
import { createArtist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { serve } from '../../testing/serve.ts'
import { openSystem, subscriberCtx } from '../../testing/system.ts'
import { sendForm, tus } from '../../testing/uploads.ts'
import { receiveForm } from './service/receive-form.ts'

/** Writing to it fails like on a full disk (/dev/full). */
const fullDevice = '/dev/full'
const full = { message: errorMessages.noRoom, code: 'noRoom' }
const jpeg = { name: 'a.jpg', type: 'image/jpeg', bytes: 1000 }

describe('with less free space than the reserve', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ role: 'web', env: { DISK_RESERVE: '100%' } })
  })
  afterAll(async () => await app.stop())

  test('every kind of upload is 507 with a message, and everything else continues', async () => {
    const artist = await createArtist(app, { plan: 'complete-shading' })
    const bytes = await picture(30, 20)
    const form = new FormData()
    form.append('file', new Blob([Uint8Array.from(bytes)], { type: 'image/jpeg' }), 'a.jpg')
    expect(await tus.create(artist, jpeg)).toMatchObject({ status: 507, body: full })
    expect(await sendForm(artist, [{ ...jpeg, bytes }])).toMatchObject({ status: 507, body: full })
    const image = await artist.fetch('/api/websitebuilder/image', { method: 'POST', body: form })
    expect([image.status, image.headers.get('retry-after'), await image.json()]).toEqual([507, '300', full])
    expect((await artist.get('/api/media')).status).toBe(200)
    expect((await artist.fetch('/readyz')).status).toBe(200)
  })

  test('the health screen shows it to staff', async () => {
    const { disk } = await (await createArtist(app, { admin: true })).trpc.admin.health.query()
    expect(disk).toEqual({
      freeBytes: expect.any(Number),
      totalBytes: disk?.reserveBytes,
      reserveBytes: expect.any(Number),
    })
    expect(disk?.freeBytes).toBeGreaterThan(0)
  })
})

describe('when the disk is full despite the reserve', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ role: 'web', env: { DISK_RESERVE: '0MB' } })
  })
  afterAll(async () => await app.stop())

  test('a piece of an upload is 507, and the upload resumes once there is room', async () => {
    const artist = await createArtist(app)
    const bytes = await picture(300, 200)
    const location = (await tus.create(artist, { ...jpeg, bytes: bytes.length })).headers.get('location') ?? ''
    const file = path.join(app.dataDir, 'storage/uploads', location.split('/').at(-1) ?? '')
    fs.rmSync(file)
    fs.symlinkSync(fullDevice, file)
    const refused = await tus.patch(artist, location, 0, Uint8Array.from(bytes))
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([507, '300', full])
    fs.rmSync(file)
    fs.writeFileSync(file, '')
    expect((await tus.patch(artist, location, 0, Uint8Array.from(bytes))).status).toBe(204)
  })

  test('a form is 507 with its message, not a malformed request, and nothing of it is stored', async () => {
    const artist = await createArtist(app)
    const { system, close } = await openSystem(app)
    const { storage } = system.gateways
    // A normal storage whose uploads go to a full disk.
    const receive = async (_id: string, source: Readable) => await pipeline(source, fs.createWriteStream(fullDevice))
    const ctx = subscriberCtx(artist, {
      ...system,
      gateways: { ...system.gateways, storage: { ...storage, partialUploads: { ...storage.partialUploads, receive } } },
    })
    const url = await serve((incoming, outgoing) => {
      void receiveForm(ctx, incoming, { path: '/api/media/upload', requestId: undefined }).then(
        () => outgoing.end('taken'),
        (error: unknown) => {
          const refusal = toAppError(error)
          outgoing.writeHead(errorTable[refusal.kind].status).end(refusal.message)
        },
      )
    })
    const form = new FormData()
    form.append('files', new Blob([new Uint8Array(3_000_000)], { type: 'image/jpeg' }), 'a.jpg')
    const answer = await fetch(url, { method: 'POST', body: form })
    expect([answer.status, await answer.text()]).toEqual([507, errorMessages.noRoom])
    expect(await app.client.db.select().from(uploads).where(eq(uploads.userId, artist.id))).toEqual([])
    await close()
  })
})
