import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { confirmSave } from './confirm-save.ts'

const save = async (error: unknown, stored: string) => {
  let reads = 0
  const read = async () => await Promise.resolve((reads++, stored))
  const outcome = await confirmSave(Promise.reject(error), read, (now) => now === 'sent').catch(() => 'failed')
  return [outcome, reads]
}

test('a refused save fails without reading what is stored', async () => {
  const refused = TRPCClientError.from({ error: { message: 'Taken', code: -32009, data: { httpStatus: 409 } } })
  expect(await save(refused, 'sent')).toEqual(['failed', 0])
})

test('a save without an answer succeeds if it is stored as it was sent', async () => {
  const unanswered = new TypeError('Failed to fetch')
  expect(await save(unanswered, 'before')).toEqual(['failed', 1])
  expect(await save(unanswered, 'sent')).toEqual(['sent', 1])
})
