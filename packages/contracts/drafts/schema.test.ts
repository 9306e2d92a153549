import { expect, test } from 'vitest'
import { draftMessages } from './messages.ts'
import { UpdateDraftInput } from './schema.ts'

test.each([2_147_483_648, 0, -1, 1.5, '1', undefined])(
  'a number that no version of a draft has is refused: %j',
  (version) => {
    const parsed = UpdateDraftInput.safeParse({ draftId: crypto.randomUUID(), version })
    expect(parsed.error?.issues.map(({ message }) => message)).toEqual([draftMessages.versionRequired])
  },
)
