import { mediaItems, orphanedFiles, uploads } from '@flashsheet/db/schema/media'
import { galleryItems } from '@flashsheet/db/schema/website'
import { videoFixture, picture } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import * as path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { newToken } from '../../core/crypto.ts'
import { newId } from '../../core/ids.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { startBucket, type Bucket } from '../../testing/bucket.ts'
import { accountsWithPictures, connect } from '../../testing/connect.ts'
import { postNow, untilSettled, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { eventually } from '../../testing/sandbox.ts'
import { openSystem } from '../../testing/system.ts'
import { tus, upload } from '../../testing/uploads.ts'
import { sweepOrphanedFiles } from './service/sweep-orphaned-files.ts'

const hour = 3_600_000
const on = new AbortController().signal

describe.each(['disk', 'bucket'] as const)('the sweep of orphaned files, on a %s', (kind) => {
  let bucket: Bucket | undefined
  let app: TestApp
  let system: System
  let close: () => Promise<void>
  let artist: Artist
  let itemId: string
  beforeAll(async () => {
    bucket = kind === 'bucket' ? await startBucket() : undefined
    app = await startTestApp({ env: { ...bucket?.env, LOG_LEVEL: 'silent' } })
    ;({ system, close } = await openSystem(app))
    artist = await createArtist(app, { plan: 'complete-shading' })
    itemId = await createOneOfEverything()
  })
  afterAll(async () => {
    await close?.()
    await app?.stop()
    await bucket?.stop()
  })

  /** One of each kind of owned file; returns the id of an item that stays. */
  async function createOneOfEverything(): Promise<string> {
    const [kept = '', dropped = ''] = await uploadPictures(artist, 2)
    const account = await connect(app, artist, 'facebook')
    await accountsWithPictures(artist)
    await untilSettled(artist, await postNow(artist, { mediaIds: [kept, dropped], variants: variantsOf(account) }))
    // Its thumbnail stays for the post that shows it, the rest is deleted.
    expect((await artist.delete('/api/media', { ids: [dropped] })).status).toBe(200)
    const video = await upload(artist, {
      name: 'healed.mp4',
      type: 'video/mp4',
      bytes: videoFixture('portrait-5s.mp4'),
    })
    expect(
      (
        await artist.fetch(`${video.location}/poster`, {
          method: 'POST',
          body: Uint8Array.from(await picture(200, 300, 5)),
          headers: { 'content-type': 'image/jpeg' },
        })
      ).status,
    ).toBe(204)
    // The thumbnail that the poster replaced is an orphan, which other tests do not expect.
    const poster = await thumbnailOf(video.location.split('/').at(-1) ?? '')
    for (const key of await allKeys())
      if (key.startsWith(`${path.dirname(poster)}/thumbnail-`) && key !== poster)
        await system.gateways.storage.remove(key)
    expect((await artist.post('/api/websitebuilder/gallery', { ids: [kept] })).status).toBe(200)
    const form = new FormData()
    form.append('file', new File([Uint8Array.from(await picture(300, 300, 7))], 'logo.jpg', { type: 'image/jpeg' }))
    expect((await artist.fetch('/api/websitebuilder/image', { method: 'POST', body: form })).status).toBe(200)
    const half = await tus.create(artist, { name: 'half.jpg', type: 'image/jpeg', bytes: 1000 })
    expect((await tus.patch(artist, half.headers.get('location') ?? '', 0, new Uint8Array(100))).status).toBe(204)
    // Recently active, so that the upload sweep leaves it alone.
    await app.client.db
      .update(uploads)
      .set({ createdAt: new Date(app.clock.now().getTime() + 1000 * hour) })
      .where(eq(uploads.fileName, 'half.jpg'))
    // The entry's row has the renditions only once all their files are stored.
    await eventually('the renditions to be made and the dropped files to be deleted', async () => {
      const entries = await app.client.db.select({ renditions: galleryItems.renditions }).from(galleryItems)
      return (
        entries.every(({ renditions }) => renditions !== null) &&
        !(await allKeys()).includes(`media/${dropped}/original`)
      )
    })
    expect((await allKeys()).filter((key) => key.startsWith(`media/${kept}/gallery/`))).not.toEqual([])
    return kept
  }

  const thumbnailOf = async (id: string) =>
    (await app.client.db.select({ key: mediaItems.thumbnailKey }).from(mediaItems).where(eq(mediaItems.id, id)))[0]
      ?.key ?? ''

  async function allKeys(): Promise<string[]> {
    const keys: string[] = []
    for (
      let page = await system.gateways.storage.page(undefined, 500);
      ;
      page = await system.gateways.storage.page(page.next, 500)
    ) {
      keys.push(
        ...page.files
          .map(({ key }) => key)
          .filter((key) => !key.startsWith('publish-progress/') && !key.startsWith('scratch/')),
      )
      if (page.next === undefined) return keys.toSorted()
    }
  }
  const recordedKeys = async () =>
    (await app.client.db.select({ key: orphanedFiles.key }).from(orphanedFiles)).map(({ key }) => key).toSorted()
  const put = async (keys: readonly string[]) => {
    for (const key of keys) await system.gateways.storage.put(key, Buffer.from('left behind'))
  }
  /** One of each kind of orphaned file. */
  const orphans = () => {
    const gone = newId()
    const sent = newId()
    const uploaded = kind === 'disk' ? [`uploads/${sent}`, `uploads/${sent}.json`] : [sent, `${sent}.part`]
    const drafts = kind === 'disk' ? [`media/${itemId}/display.jpg.${newId()}.draft`] : []
    return [
      ...['original', 'display.jpg', 'thumbnail-0123456789abcdef.webp', 'renditions/feed.jpg'].map(
        (name) => `media/${gone}/${name}`,
      ),
      `media/${itemId}/gallery/${newId()}/400.webp`,
      `site-images/${newToken()}/400.webp`,
      `page-pictures/${newId()}/0123456789abcdef.webp`,
      ...uploaded,
      ...drafts,
    ].toSorted()
  }
  const clear = async () => void (await app.client.db.delete(orphanedFiles))

  test('keeps owned files, files of others, and files younger than a day', async () => {
    await put(['notes.txt', 'backups/monday', `media/${itemId}.zip`])
    const before = await allKeys()
    await sweepOrphanedFiles(system, {}, on)
    const young = orphans()
    await put(young)
    await sweepOrphanedFiles(system, {}, on)
    expect(await recordedKeys()).toEqual([])
    for (const key of young) await system.gateways.storage.remove(key)
    for (let day = 0; day < 3; day += 1) {
      app.clock.advance(25 * hour)
      await sweepOrphanedFiles(system, {}, on)
    }
    expect([await allKeys(), await recordedKeys()]).toEqual([before, []])
  })

  test('deletes at the second sweep, a day after the first, and nothing else', async () => {
    const before = await allKeys()
    const keys = orphans()
    await put(keys)
    app.clock.advance(25 * hour)
    await sweepOrphanedFiles(system, {}, on)
    expect(await recordedKeys()).toEqual(keys)
    app.clock.advance(hour)
    await sweepOrphanedFiles(system, {}, on)
    expect(await allKeys()).toEqual([...before, ...keys].toSorted())
    app.clock.advance(24 * hour)
    await sweepOrphanedFiles(system, {}, on)
    expect([await allKeys(), await recordedKeys()]).toEqual([before, []])
  })

  test('a replaced poster is deleted once no post shows it', async () => {
    const video = await upload(artist, {
      name: 'sleeve.mp4',
      type: 'video/mp4',
      bytes: videoFixture('portrait-5s.mp4'),
    })
    const id = video.location.split('/').at(-1) ?? ''
    const thumbnails = async () => (await allKeys()).filter((key) => key.startsWith(`media/${id}/thumbnail-`))
    const replace = async (colour: number) => {
      const body = Uint8Array.from(await picture(200, 300, colour))
      const headers = { 'content-type': 'image/jpeg' }
      expect((await artist.fetch(`${video.location}/poster`, { method: 'POST', body, headers })).status).toBe(204)
      return await thumbnailOf(id)
    }
    const sweepTwice = async () => {
      for (const hours of [25, 25]) {
        app.clock.advance(hours * hour)
        await sweepOrphanedFiles(system, {}, on)
      }
    }
    const shown = await replace(11)
    const { _id: postId } = await artist.trpc.posts.schedule.mutate({
      mediaIds: [id],
      variants: variantsOf(await connect(app, artist, 'facebook')),
      scheduledAt: new Date(app.clock.now().getTime() + 300 * 24 * hour).toISOString(),
    })
    const [between, last] = [await replace(12), await replace(11)]
    expect(new Set([shown, between, last]).size).toBe(3)
    await sweepTwice()
    expect(await thumbnails()).toEqual([shown, last].toSorted())
    await artist.trpc.posts.remove.mutate({ postId })
    await sweepTwice()
    expect(await thumbnails()).toEqual([last])
  })

  test('forgets a recorded file once it has an owner again, or is deleted', async () => {
    const key = `media/${newId()}/original`
    await put([key])
    app.clock.advance(25 * hour)
    await sweepOrphanedFiles(system, {}, on)
    expect(await recordedKeys()).toEqual([key])
    await system.gateways.storage.remove(key)
    app.clock.advance(4 * 24 * hour)
    await sweepOrphanedFiles(system, {}, on)
    expect(await recordedKeys()).toEqual([])
  })

  test('does nothing while publishing is stopped, nor with so many orphans that the storage must be of another database', async () => {
    const key = `media/${newId()}/original`
    await put([key])
    app.clock.advance(25 * hour)
    await app.client.sql`update publish_progress set stopped_at = now()`
    await sweepOrphanedFiles(system, {}, on)
    expect(await recordedKeys()).toEqual([])
    await app.client.sql`update publish_progress set stopped_at = null`
    await sweepOrphanedFiles(system, {}, on)
    await app.client
      .sql`insert into unnamed_files select 'media/' || n, now() + interval '1 year', now() + interval '1 year' from generate_series(1, 1100) n`
    app.clock.advance(25 * hour)
    await sweepOrphanedFiles(system, {}, on)
    expect(await allKeys()).toContain(key)
    await app.client.sql`delete from unnamed_files where key <> ${key}`
    await sweepOrphanedFiles(system, {}, on)
    expect(await allKeys()).not.toContain(key)
  })

  test('continues in the next job where one ended', async () => {
    await clear()
    const keys = Array.from({ length: 120 }, (_, n) => `media/${newId()}/${n}`)
    await put(keys)
    const startedAt = app.clock.now().getTime()
    app.clock.advance(25 * hour)
    // Jobs of the app process the rest.
    await sweepOrphanedFiles(system, {}, on)
    await eventually('all of them to be recorded', async () => (await recordedKeys()).length === keys.length)
    app.clock.advance(startedAt + 50 * hour - app.clock.now().getTime())
    await sweepOrphanedFiles(system, {}, on)
    await eventually('all of them to be gone', async () => (await recordedKeys()).length === 0)
    expect((await allKeys()).filter((key) => keys.includes(key))).toEqual([])
  }, 60_000)
})
