import { expect, test } from 'vitest'
import { createQueryClient } from './query-client.ts'

test('what nobody looks at is kept for 60 s, and what was asked for is fresh for 5 s (spec 9)', () => {
  expect(createQueryClient().getDefaultOptions().queries).toMatchObject({ gcTime: 60_000, staleTime: 5_000 })
})
