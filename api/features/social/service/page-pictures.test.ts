import { platforms } from '@flashsheet/contracts/networks'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { System } from '../../../core/context.ts'
import { createArtist, type Artist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { accountsWithPictures, connect } from '../../../testing/connect.ts'
import { lockWaits } from '../../../testing/lock-waits.ts'
import { control, eventually } from '../../../testing/sandbox.ts'
import { openSystem } from '../../../testing/system.ts'
import { finishDisconnecting } from './accounts.ts'
import { deletePictures, updateProfile } from './page-pictures.ts'

const on = new AbortController().signal
let app: TestApp
let system: System
let close: () => Promise<void>
/** A server of pictures, with its answer for each path. */
let server: Server
let origin: string
type Answer = { status?: number; body: Uint8Array; location?: string; before?: () => Promise<unknown> }
const answers: Record<string, Answer> = {}

beforeAll(async () => {
  app = await startTestApp({ env: { LOG_LEVEL: 'silent' } })
  ;({ system, close } = await openSystem(app))
  server = createServer((request, response) => {
    const answer: Answer = answers[request.url ?? ''] ?? { status: 404, body: Buffer.from('no') }
    void Promise.resolve(answer.before?.()).then(() => {
      response.writeHead(answer.status ?? 200, {
        'content-type': 'image/jpeg',
        ...(answer.location === undefined ? {} : { location: answer.location }),
      })
      response.end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  answers['/good.jpg'] = { body: await picture(300, 200, 3) }
  answers['/other.jpg'] = { body: await picture(200, 300, 9) }
  answers['/words.jpg'] = { body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }
  answers['/huge.jpg'] = { body: Buffer.alloc(5_000_001, 7) }
  answers['/down.jpg'] = { status: 503, body: Buffer.from('later') }
  answers['/away.jpg'] = { status: 302, location: 'http://169.254.169.254/latest/meta-data', body: Buffer.from('') }
})
afterAll(async () => {
  await close?.()
  await app?.stop()
  server?.close()
})

/** An Instagram account with its first picture, and its page's row. */
async function accountWithPicture(): Promise<{ artist: Artist; accountId: string; pageRow: string; address: string }> {
  const artist = await createArtist(app)
  await connect(app, artist, 'instagram')
  const [account] = await accountsWithPictures(artist)
  const address = account?.pages[0]?.picture ?? ''
  return { artist, accountId: account?._id ?? '', pageRow: address.split('/')[3] ?? '', address }
}

const rowOf = async (id: string) =>
  (
    await app.client.db
      .select({ source: socialPages.pictureSource, file: socialPages.pictureFile, name: socialPages.name })
      .from(socialPages)
      .where(eq(socialPages.id, id))
  )[0]
const requestCopy = async (id: string, source: string) =>
  void (await app.client.db.update(socialPages).set({ pictureSource: source }).where(eq(socialPages.id, id)))
const keyOf = (address: string) => address.replace('/files/', '')
const waitUntilDeleted = async (address: string) =>
  await eventually('the file to go', async () => (await system.gateways.storage.size(keyOf(address))) === undefined)

test('a picture that a page shows again before its deletion runs is kept', async () => {
  const { artist, address } = await accountWithPicture()
  await deletePictures(system, { keys: [keyOf(address)] })
  expect((await artist.fetch(address)).status).toBe(200)
})

describe('a picture that cannot be copied', () => {
  test.each([
    ['does not exist', '/none.jpg'],
    ['is no picture', '/words.jpg'],
    ['is larger than 5 MB', '/huge.jpg'],
    ['redirects into a private network', '/away.jpg'],
    ['has an address of a private network', 'https://10.0.0.1/p.jpg'],
    ['has no address at all', 'javascript:alert(1)'],
    ['has the address of a file', 'file:///etc/passwd'],
  ])('%s: copying ends, and the previous copy remains', async (_why, path) => {
    const { artist, accountId, pageRow, address } = await accountWithPicture()
    await requestCopy(pageRow, path.startsWith('/') ? `${origin}${path}` : path)
    await updateProfile(system, { owner: artist.id, accountId, asks: false }, on)
    expect(await rowOf(pageRow)).toMatchObject({ source: null, file: address.split('/')[4] })
    expect((await artist.fetch(address)).status).toBe(200)
  })

  test('answered with 503: the job is retried, and the picture remains to be copied', async () => {
    const { artist, accountId, pageRow } = await accountWithPicture()
    await requestCopy(pageRow, `${origin}/down.jpg`)
    await expect(updateProfile(system, { owner: artist.id, accountId, asks: false }, on)).rejects.toThrow('503')
    expect(await rowOf(pageRow)).toMatchObject({ source: `${origin}/down.jpg` })
  })
})

describe('a copy', () => {
  test.each(platforms)('%s: every page has one after connecting, 96 px square', async (platform) => {
    const artist = await createArtist(app)
    await connect(app, artist, platform)
    const [account] = await accountsWithPictures(artist)
    for (const page of account?.pages ?? []) {
      expect(page.username).toMatch(/^@?[\w.-]+$/)
      const answer = await artist.fetch(page.picture ?? '')
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
      expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({ width: 96, height: 96 })
    }
  })

  test('is for its artist alone', async () => {
    const { artist, address } = await accountWithPicture()
    expect((await app.visitor().fetch(address)).status).toBe(401)
    expect((await (await createArtist(app)).fetch(address)).status).toBe(404)
    expect((await artist.fetch(address.replace(/\/[^/]+$/, '/0123456789abcdef.webp'))).status).toBe(404)
    expect((await artist.fetch('/files/page-pictures/none/none.webp')).status).toBe(404)
  })

  test('is replaced by the next, which has another address', async () => {
    const { artist, accountId, pageRow, address } = await accountWithPicture()
    await requestCopy(pageRow, `${origin}/good.jpg`)
    await updateProfile(system, { owner: artist.id, accountId, asks: false }, on)
    const [account] = await accountsWithPictures(artist)
    const next = account?.pages[0]?.picture ?? ''
    expect(next).not.toBe(address)
    expect((await artist.fetch(next)).status).toBe(200)
    expect((await artist.fetch(address)).status).toBe(404)
    await waitUntilDeleted(address)
  })

  test('that was downloaded while its page was deleted is deleted too', async () => {
    const { artist, accountId, pageRow } = await accountWithPicture()
    const files = async () => await system.gateways.storage.list(`page-pictures/${pageRow}`)
    const [first] = await files()
    const { db } = app.client
    answers['/leaving.jpg'] = {
      body: await picture(120, 90, 4),
      before: async () => await db.delete(socialAccounts).where(eq(socialAccounts.id, accountId)),
    }
    await requestCopy(pageRow, `${origin}/leaving.jpg`)
    await updateProfile(system, { owner: artist.id, accountId, asks: false }, on)
    await eventually('the new file to go', async () => (await files()).every((file) => file === first))
  })

  test('that is stored while its account is deleted is deleted too', async () => {
    const { artist, accountId, pageRow } = await accountWithPicture()
    const { db } = app.client
    const address = `/files/page-pictures/${pageRow}/late.webp`
    await system.gateways.storage.put(keyOf(address), Buffer.from('late'))
    await db.update(socialAccounts).set({ disconnectingAt: system.now() }).where(eq(socialAccounts.id, accountId))
    let finishing: Promise<void> | undefined
    await db.transaction(async (tx) => {
      await tx.update(socialPages).set({ pictureFile: 'late.webp' }).where(eq(socialPages.id, pageRow))
      finishing = finishDisconnecting(system, { owner: artist.id, accountId })
      await eventually('the deletion to wait for the page', async () => (await lockWaits(app.client)) > 0)
    })
    await finishing
    await waitUntilDeleted(address)
  })

  test('is deleted with its account', async () => {
    const { artist, accountId, pageRow, address } = await accountWithPicture()
    expect((await artist.delete(`/api/social-accounts/${accountId}`)).status).toBe(200)
    expect((await artist.fetch(address)).status).toBe(404)
    await waitUntilDeleted(address)
    expect(await rowOf(pageRow)).toBeUndefined()
  })
})

test('a refresh stores a new name, and deletes the copy of a picture that the network no longer has', async () => {
  const { artist, accountId, pageRow, address } = await accountWithPicture()
  await app.client.db.update(socialPages).set({ name: 'Before' }).where(eq(socialPages.id, pageRow))
  await control(app, 'POST', '/faults', {
    service: 'instagram',
    path: 'profile_picture_url',
    times: 1,
    kind: 'status',
    status: 200,
    body: { id: '1', user_id: await pageIdOf(pageRow), username: 'renamed', name: 'After' },
  })
  await updateProfile(system, { owner: artist.id, accountId, asks: true }, on)
  expect(await rowOf(pageRow)).toEqual({ source: null, file: null, name: 'After' })
  await waitUntilDeleted(address)
})

test('refreshing a token also updates name and picture', async () => {
  const { artist, accountId, pageRow } = await accountWithPicture()
  await app.client.db.update(socialPages).set({ pictureFile: null, name: 'Before' }).where(eq(socialPages.id, pageRow))
  expect((await artist.put(`/api/social-accounts/${accountId}/token`)).status).toBe(200)
  const [account] = await accountsWithPictures(artist)
  expect(account?.pages[0]?.name).not.toBe('Before')
})

test('a network that does not describe its pages changes nothing', async () => {
  const { artist, accountId, pageRow, address } = await accountWithPicture()
  await control(app, 'POST', '/faults', {
    service: 'instagram',
    path: 'profile_picture_url',
    times: 1,
    kind: 'status',
    status: 500,
  })
  await updateProfile(system, { owner: artist.id, accountId, asks: true }, on)
  expect(await rowOf(pageRow)).toMatchObject({ source: null, file: address.split('/')[4] })
})

async function pageIdOf(id: string): Promise<string> {
  const [row] = await app.client.db
    .select({ pageId: socialPages.pageId })
    .from(socialPages)
    .where(eq(socialPages.id, id))
  return row?.pageId ?? ''
}
