import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore } from './store.ts'

type Shelf = {
  books: Record<string, { title: string; tags: string[]; of?: { pages: number } }>
  notes: { text: string }[]
}
const empty = (): Shelf => ({ books: {}, notes: [] })

let folder = ''
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-store-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

/** The state that another process would read: the file as it is now, without closing the first store. */
function afterKill<T extends object>(initial: () => T, name = 'shelf'): T {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-store-'))
  fs.cpSync(folder, copy, { recursive: true })
  const store = openStore(copy)
  const root = structuredClone(JSON.parse(JSON.stringify(store.root(name, initial)))) as T
  store.close()
  fs.rmSync(copy, { recursive: true, force: true })
  return root
}

test('rejects a value that JSON cannot represent', () => {
  const store = openStore(folder)
  const shelf = store.root<Record<string, unknown>>('shelf', () => ({ books: {} }))
  expect(() => (shelf['at'] = new Date())).toThrow(TypeError)
  expect(() => (shelf['by'] = new Map())).toThrow(TypeError)
  expect(() => (shelf['do'] = { deep: [() => 1] })).toThrow(TypeError)
  store.close()
})

test('changing a literal after it was stored throws', () => {
  const store = openStore(folder)
  const shelf = store.root('shelf', empty)
  const book = { title: 'Ink', tags: ['a'] }
  shelf.books['1'] = book
  expect(() => book.tags.push('b')).toThrow(TypeError)
  expect(() => (book.title = 'x')).toThrow(TypeError)
  shelf.books['1']!.tags.push('b')
  expect(shelf.books['1']!.tags).toEqual(['a', 'b'])
  store.close()
})

test('after a kill, flushed changes at any depth are stored, and unflushed ones are not', () => {
  const store = openStore(folder)
  const shelf = store.root('shelf', empty)
  shelf.books['1'] = { title: 'Ink', tags: [], of: { pages: 1 } }
  shelf.books['2'] = { title: 'Gone', tags: [] }
  shelf.notes.push({ text: 'one' }, { text: 'two' }, { text: 'three' })
  store.flush()
  const held = shelf.books['1']!
  held.of!.pages = 2
  held.tags.push('x', 'y')
  delete shelf.books['2']
  shelf.notes.splice(0, 1)
  shelf.notes[0]!.text = 'second'
  store.flush()
  shelf.books['3'] = { title: 'Late', tags: [] }
  expect(afterKill(empty)).toEqual({
    books: { 1: { title: 'Ink', tags: ['x', 'y'], of: { pages: 2 } } },
    notes: [{ text: 'second' }, { text: 'three' }],
  })
  store.close()
  expect(afterKill(empty).books['3']).toEqual({ title: 'Late', tags: [] })
})

test('drops a line that a crash truncated, and keeps the ones before it', () => {
  const store = openStore(folder)
  store.root('shelf', empty).books['1'] = { title: 'Ink', tags: [] }
  store.close()
  fs.appendFileSync(path.join(folder, 'state.jsonl'), '["shelf","books","2",{"title":"ha')
  expect(Object.keys(afterKill(empty).books)).toEqual(['1'])
})

test('an append writes one entity, not the whole list', () => {
  const store = openStore(folder)
  const shelf = store.root('shelf', empty)
  for (let index = 0; index < 2000; index++) shelf.notes.push({ text: `note ${index}` })
  store.flush()
  const before = fs.statSync(path.join(folder, 'state.jsonl')).size
  shelf.notes.push({ text: 'last' })
  store.flush()
  expect(fs.statSync(path.join(folder, 'state.jsonl')).size - before).toBeLessThan(100)
  store.close()
})

test('a reset keeps the live object and restores the initial state, on disk too', () => {
  const store = openStore(folder)
  const shelf = store.root('shelf', () => ({ ...empty(), notes: [{ text: 'seeded' }] }))
  shelf.notes.push({ text: 'more' })
  shelf.books['1'] = { title: 'Ink', tags: [] }
  store.reset()
  expect(JSON.parse(JSON.stringify(shelf))).toEqual({ books: {}, notes: [{ text: 'seeded' }] })
  expect(afterKill(empty)).toEqual({ books: {}, notes: [{ text: 'seeded' }] })
  store.close()
})

test('adds a collection that an older state lacks', () => {
  const store = openStore(folder)
  store.root('shelf', () => ({ books: {} }))
  store.close()
  expect(afterKill(empty)).toEqual({ books: {}, notes: [] })
})

test('entities copied to a second collection are independent', () => {
  const store = openStore(folder)
  const shelf = store.root('shelf', () => ({ ...empty(), archive: {} as Shelf['books'] }))
  shelf.books['1'] = { title: 'Ink', tags: [] }
  shelf.archive['1'] = shelf.books['1']!
  shelf.books['1']!.title = 'New'
  expect(shelf.archive['1']!.title).toBe('Ink')
  store.close()
})
