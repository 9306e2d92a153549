import { expect, test } from 'vitest'
import { memoryStorage } from '../../../lib/memory-storage-fixture.ts'
import { markSent } from './draft-request.ts'
import { openDraft, replaceFinishedDraft } from './draft-store.ts'
import { goTo, newDraft, setCaption } from './draft.ts'

test('another person does not see the draft', () => {
  const storage = memoryStorage()
  openDraft('mara', storage).update((draft) => setCaption(draft, null, { title: 'Swallow' }))
  expect(openDraft('jonas', storage).get().global.title).toBe('')
  expect(openDraft('mara', storage).get().global.title).toBe('Swallow')
})

test('an unreadable draft is replaced by a new one', () => {
  expect(openDraft('mara', memoryStorage({ 'draft:mara': '{"step":7}' })).get().step).toBe(1)
  const refuse = () => {
    throw new Error('blocked')
  }
  const store = openDraft('mara', { getItem: refuse, setItem: refuse, removeItem: refuse })
  store.update((draft) => goTo(draft, 2))
  expect(store.get().step).toBe(2)
})

test('a stored draft without times keeps the rest, and one with unreadable sent posts is replaced', () => {
  const { scheduledAt: _none, ...draft } = goTo(newDraft('d'), 4)
  const stored = (more: object) => memoryStorage({ 'draft:mara': JSON.stringify({ ...draft, ...more }) })
  expect(openDraft('mara', stored({})).get()).toEqual({ ...draft, scheduledAt: [] })
  for (const sent of [null, 'x', [null], [{}], [{ time: '2039-01-01T10:00:00.000Z', postId: 'p' }]])
    expect(openDraft('mara', stored({ sent })).get().id).not.toBe('d')
})

test('a change is stored before listeners are called', () => {
  const storage = memoryStorage()
  const store = openDraft('mara', storage)
  let stored = ''
  store.subscribe(() => (stored = storage.getItem('draft:mara') ?? ''))
  store.update((draft) => goTo(draft, 3))
  expect(JSON.parse(stored).step).toBe(3)
})

test('a change from another tab is shown, and not written again', () => {
  const writes: string[] = []
  const store = openDraft('mara', {
    ...memoryStorage(),
    setItem: (_key, value) => void writes.push(value),
  })
  const other = JSON.stringify(setCaption(store.get(), null, { caption: 'from the other tab' }))
  store.adopt(other)
  expect(store.get().global.caption).toBe('from the other tab')
  expect(writes).toEqual([])
})

test('a finished draft is replaced only once its outcome was shown', () => {
  const store = openDraft('mara', memoryStorage())
  store.update((draft) => markSent(setCaption(draft, null, { caption: 'C' }), 'now', 'post'))
  replaceFinishedDraft(store)
  expect(store.get().global.caption).toBe('C')
  store.update((draft) => ({ ...draft, announced: true }))
  const sent = store.get().sent
  store.update((draft) => ({ ...draft, sent: [], scheduledAt: ['2039-01-01T10:00:00.000Z'] }))
  replaceFinishedDraft(store)
  expect(store.get().global.caption).toBe('C')
  store.update((draft) => ({ ...draft, sent }))
  replaceFinishedDraft(store)
  expect(store.get()).toMatchObject({ step: 1, sent: [], global: { caption: '' } })
})
