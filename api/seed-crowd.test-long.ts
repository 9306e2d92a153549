import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from './testing/app.ts'
import { seedCrowdOn } from './testing/with-crowd.ts'
import { openSystem } from './testing/system.ts'

let app: TestApp
let opened: Awaited<ReturnType<typeof openSystem>>
beforeAll(async () => {
  app = await startTestApp()
  opened = await openSystem(app)
})
afterAll(async () => {
  await opened?.close()
  await app?.stop()
})

const expected = {
  'Lars Nygaard': ['past_due', false],
  'Odette Vance': ['canceled', true],
  'Kenji Watanabe': ['active', true],
  'Isaac Okonkwo': ['active', false],
}

const days = [
  '2024-02-29',
  '2026-01-31',
  '2026-03-01',
  '2026-03-29',
  '2026-03-30',
  '2026-03-31',
  '2026-04-29',
  '2026-04-30',
  '2026-05-01',
  '2025-08-31',
  '2025-09-01',
  '2025-12-31',
]
test.each(
  days.flatMap(
    (day) =>
      [
        [day, '00:20'],
        [day, '23:40'],
      ] as const,
  ),
)('on %s at %s one demo artist is past due, one has cancelled and one is about to end', async (day, time) => {
  expect(await seedCrowdOn(opened.system, day, time, Object.keys(expected))).toEqual(expected)
})
