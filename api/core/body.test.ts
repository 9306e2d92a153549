import { expect, test } from 'vitest'
import { readAtMost } from './body.ts'

const refusal = () => new Error('too many bytes')
const read = async (...lengths: number[]) =>
  await readAtMost(
    lengths.map((length) => new Uint8Array(length)),
    10,
    refusal,
  )

test.each([[[11]], [[6, 5]], [[10, 1]]])('refuses chunks of %j bytes where ten are allowed', async (lengths) => {
  await expect(read(...lengths)).rejects.toThrow('too many bytes')
})

test('reads as many bytes as are allowed', async () => {
  expect((await read(6, 4)).byteLength).toBe(10)
})
