import { connect, type DbClient } from '@flashsheet/db/client'
import { afterAll, expect, test } from 'vitest'
import { cachedFor } from './cached-for.ts'

// Nothing connects before it is asked.
const clients: DbClient[] = [
  connect('postgres://nobody@localhost:1/one', 1),
  connect('postgres://nobody@localhost:1/two', 1),
]
const [one, two] = clients.map(({ db }) => ({ db, now: () => new Date() }))
afterAll(async () => {
  for (const client of clients) await client.close()
})

test('many who ask get one answer, each database its own', async () => {
  if (!one || !two) throw new Error('two databases were opened')
  let asked = 0
  const kept = cachedFor(60_000, async () => await Promise.resolve((asked += 1)))
  expect(await Promise.all([kept(one), kept(one), kept({ ...one })])).toEqual([1, 1, 1])
  expect(await kept(two)).toBe(2)
  expect(await kept(one)).toBe(1)
})

test('what is kept for no time is asked again', async () => {
  if (!one) throw new Error('a database was opened')
  let asked = 0
  const kept = cachedFor(0, async () => await Promise.resolve((asked += 1)))
  expect([await kept(one), await kept(one)]).toEqual([1, 2])
})

test('a failure is told to who asked, and not kept', async () => {
  if (!one) throw new Error('a database was opened')
  let asked = 0
  const kept = cachedFor(
    60_000,
    async () => await (asked++ === 0 ? Promise.reject(new Error('away')) : Promise.resolve('there')),
  )
  await expect(kept(one)).rejects.toThrow('away')
  expect(await kept(one)).toBe('there')
})
