import { expect, test } from 'vitest'
import { z } from 'zod'
import { toAppError } from './errors.ts'

test('of several problems of a field, the first is told', () => {
  const schema = z.object({
    name: z
      .string()
      .min(3, 'too short')
      .regex(/^[a-z]+$/, 'only letters'),
    age: z.number(),
  })
  const refused = toAppError(schema.safeParse({ name: '1' }).error)
  expect(refused.message).toBe('too short')
  expect(refused.fields).toEqual({ name: 'too short', age: expect.any(String) })
})

test('a problem of the whole input is told under `body`', () => {
  expect(toAppError(z.object({}).safeParse('x').error).fields).toEqual({ body: expect.any(String) })
})
