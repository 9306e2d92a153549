import { expect, test } from 'vitest'
import { ContactInput as ClientContact } from './appointments/schema.ts'
import { Name, RegisterInput, UpdateProfileInput } from './auth/schema.ts'
import { ContactInput } from './notices/schema.ts'
import { authMessages } from './auth/messages.ts'

const refused = [
  'your prize: http://evil.example/win',
  'Sign in at evil.example',
  'www.evil',
  'bob@evil.example',
  'evil\u3002example',
  'ｅｖｉｌ．ｅｘａｍｐｌｅ',
  'ftp://x',
  'пример.рф',
]
const taken = [
  'Ada Inkwell',
  'St. John Smith',
  'J. R. R. Tolkien',
  "D'Arcy O'Neil-Yu",
  'Ada @inkwell',
  '王小明',
  'Mr. T.',
  'Studio 3.5',
  'Anne (Annie) B.',
]

test('every form refuses a name that contains a web or mail address, with a plain message', () => {
  for (const name of refused) {
    expect(Name.safeParse(name).error?.issues[0]?.message, name).toBe(authMessages.nameContainsAddress)
    for (const result of [
      RegisterInput.safeParse({ name, email: 'a@b.example', password: 'a good long one' }),
      UpdateProfileInput.safeParse({ _id: '1', name }),
      ContactInput.safeParse({ name, email: 'a@b.example', message: 'Hello' }),
      ClientContact.safeParse({ name, email: 'a@b.example' }),
    ]) {
      expect(
        result.error?.issues.map((issue) => [issue.path.join('.'), issue.message]),
        name,
      ).toEqual([['name', authMessages.nameContainsAddress]])
    }
  }
})

test('names with dots, signs and other scripts are accepted', () => {
  for (const name of taken) expect(Name.parse(name)).toBe(name)
  expect(ClientContact.parse({ email: 'a@b.example' }).name).toBe('')
})
