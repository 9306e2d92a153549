import { expect, test } from 'vitest'
import { z } from 'zod'
import { toAppError } from './errors.ts'

test('reports the first of several problems of a field', () => {
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

test('reports a problem of the whole input under `body`', () => {
  expect(toAppError(z.object({}).safeParse('x').error).fields).toEqual({ body: expect.any(String) })
})
