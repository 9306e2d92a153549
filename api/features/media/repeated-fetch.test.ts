import type { FromUrlJob, FromUrlState } from '@flashsheet/contracts/media/schema'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { startTestApp } from '../../testing/app.ts'
import { serve } from '../../testing/serve.ts'
import { openSystem } from '../../testing/system.ts'
import { runFetch } from './service/fetch-from-url.ts'

test('a fetch whose job is repeated while it still runs is not begun again', async () => {
  const app = await startTestApp({ role: 'web', env: { FETCH_LOOPBACK: 'on' } })
  onTestFinished(app.stop)
  const [one, other] = [await openSystem(app), await openSystem(app)]
  onTestFinished(async () => void (await Promise.all([one.close(), other.close()])))
  const artist = await createArtist(app)
  const jpeg = await picture(640, 480, 1)
  const calls: ServerResponse[] = []
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const url = await serve((_request, response) => {
    response.setHeader('content-type', 'image/jpeg').write(jpeg.subarray(0, 2000))
    ;(calls.push(response) === 1 ? first : second).resolve()
  })
  const job = await artist.post<FromUrlJob>('/api/media/from-url', { url: `${url}/a.jpg` })
  const run = async ({ system }: typeof one) =>
    await runFetch(system, { id: job.body._id }, new AbortController().signal).catch((error: unknown) => error)

  const running = run(one)
  await first.promise
  const repeated = run(other)
  await Promise.race([repeated, second.promise])
  calls[0]?.end(jpeg.subarray(2000))
  expect(await running).toBeUndefined()
  calls[1]?.end(jpeg.subarray(2000))
  await repeated

  const { body } = await artist.get<FromUrlState>(`/api/media/from-url/${job.body._id}`)
  expect(body).toMatchObject({ state: 'done', item: { fileName: 'a.jpg' } })
  expect((await artist.fetch(body.item?.url ?? '')).status).toBe(200)
  expect(calls).toHaveLength(1)
})
