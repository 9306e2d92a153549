import { expect, test } from 'vitest'
import {
  arrayOf,
  boolean,
  nullable,
  number,
  objectOf,
  oneOf,
  recordOf,
  string,
  withDefault,
} from './read-stored-json.ts'

type Pet = {
  name: string
  legs: number
  owner: string | null
  tags: string[]
  notes: Record<string, boolean>
  kind: 'cat' | 'dog'
}
const pet = objectOf<Pet>({
  name: string,
  legs: number,
  owner: withDefault(nullable(string), null),
  tags: arrayOf(string),
  notes: recordOf(boolean),
  kind: oneOf(['cat', 'dog']),
})
const tom: Pet = { name: 'Tom', legs: 4, owner: 'Ann', tags: ['grey'], notes: { tame: false }, kind: 'cat' }

test('returns matching values without unknown fields', () => {
  expect(pet({ ...tom, more: 1 })).toEqual(tom)
})

test('a missing field becomes its fallback; null is kept', () => {
  const { owner: _, ...before } = tom
  expect(pet(before)).toEqual({ ...tom, owner: null })
  expect(pet({ ...tom, owner: null })).toEqual({ ...tom, owner: null })
})

test.each([
  ['nothing', null],
  ['a list', [tom]],
  ['a missing field', { ...tom, name: undefined }],
  ['null for a field that is not nullable', { ...tom, name: null }],
  ['a value of another type', { ...tom, legs: '4' }],
  ['NaN', { ...tom, legs: NaN }],
  ['a wrong word', { ...tom, kind: 'cow' }],
  ['one wrong entry of a list', { ...tom, tags: ['grey', 1] }],
  ['an object for a list', { ...tom, tags: { 0: 'grey' } }],
  ['one wrong entry of a record', { ...tom, notes: { tame: 'no' } }],
  ['a list for a record', { ...tom, notes: [] }],
])('rejects %s', (_what, value) => {
  expect(pet(value)).toBeUndefined()
})
