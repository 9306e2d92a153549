import { expect, test } from 'vitest'
import { draftMessages } from './messages.ts'
import { UpdateDraftInput } from './schema.ts'

test('an old version is for the service to refuse', () => {
  for (const version of [0, -1, 2_147_483_647])
    expect(UpdateDraftInput.safeParse({ draftId: crypto.randomUUID(), version }).success).toBe(true)
})

test.each([2_147_483_648, 1.5, '1', undefined])(
  'a version that the database cannot compare is refused: %j',
  (version) => {
    const parsed = UpdateDraftInput.safeParse({ draftId: crypto.randomUUID(), version })
    expect(parsed.error?.issues.map(({ message }) => message)).toEqual([draftMessages.versionRequired])
  },
)
