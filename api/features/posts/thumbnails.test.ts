import * as fs from 'node:fs'
import * as path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { postNow, untilSettled, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { eventually } from '../../testing/sandbox.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app?.stop())

test('the thumbnail of a deleted picture stays for the post that shows it, and is deleted with the post', async () => {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'facebook')
  const [mediaId = ''] = await uploadPictures(artist)
  const postId = await postNow(artist, { mediaIds: [mediaId], variants: variantsOf(account) })
  expect((await untilSettled(artist, postId)).status).toBe('posted')
  const folder = path.join(app.dataDir, 'storage', 'media', mediaId)
  const files = () => (fs.existsSync(folder) ? fs.readdirSync(folder) : [])
  expect((await artist.delete('/api/media', { ids: [mediaId] })).status).toBe(200)
  await eventually('all but the thumbnail to go', async () => await Promise.resolve(files().length === 1))
  expect(files()[0]).toMatch(/^thumbnail-/)
  await artist.trpc.posts.remove.mutate({ postId })
  await eventually('the thumbnail to go', async () => await Promise.resolve(files().length === 0))
})
