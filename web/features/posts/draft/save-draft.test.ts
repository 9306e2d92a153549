import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import type { CreateDraftInput, Draft as StoredDraft, UpdateDraftInput } from '@flashsheet/contracts/drafts/schema'
import { expect, test } from 'vitest'
import { memoryStorage } from '../../../lib/memory-storage-fixture.ts'
import { openDraft, type DraftStore } from './draft-store.ts'
import { addTime, newDraft, setCaption, togglePage, type Draft } from './draft.ts'
import { saveDraft, type SaveCalls } from './save-draft.ts'
import { isUnsaved, storedState } from './stored-draft.ts'

const page = { platform: 'facebook' as const, socialAccountId: 'account', pageId: 'page', name: 'Black Quill' }

let people = 0
/** The composer of a new user. */
function composed(caption = 'Mine'): DraftStore {
  const store = openDraft(`writer ${people++}`, memoryStorage())
  store.update((draft) => setCaption(togglePage(draft, page), null, { caption }))
  return store
}

/** A server with drafts. With `lose`, calls are executed but their responses are lost. */
function server() {
  const drafts = new Map<string, StoredDraft>()
  const requests = new Map<string, string>()
  const state = { lose: false, calls: 0 }
  const answer = (draft: StoredDraft) => {
    if (state.lose) throw new TypeError('Failed to fetch')
    return structuredClone(draft)
  }
  const write = (_id: string, version: number, input: CreateDraftInput | UpdateDraftInput): StoredDraft => {
    const { title = '', mediaIds = [], scheduledAt = null } = input
    const variants = (input.variants ?? []).map((variant) => ({ ...variant, options: variant.options ?? {} }))
    const draft = { _id, version, title, mediaIds, variants, scheduledAt, createdAt: '', updatedAt: '' }
    drafts.set(_id, draft)
    return draft
  }
  const found = (draftId: string): StoredDraft => {
    const draft = drafts.get(draftId)
    if (!draft) throw { message: 'Not found', code: 'notFound' }
    return draft
  }
  const calls: SaveCalls = {
    awaitUploads: async () => await Promise.resolve(),
    create: async (input) => {
      state.calls++
      await Promise.resolve()
      const text = JSON.stringify({ ...input, requestId: undefined })
      const known = requests.get(input.requestId ?? '')
      if (known !== undefined && known !== text) throw { message: draftMessages.requestReused, code: 'conflict' }
      requests.set(input.requestId ?? '', text)
      const id = `draft ${input.requestId}`
      return answer(known === undefined ? write(id, 1, input) : found(id))
    },
    update: async (input) => {
      state.calls++
      await Promise.resolve()
      if (found(input.draftId).version !== input.version) throw { message: draftMessages.stale, code: 'conflict' }
      return answer(write(input.draftId, input.version + 1, input))
    },
    current: async (draftId) => await Promise.resolve(structuredClone(found(draftId))),
    stillSignedIn: () => true,
    newId: () => 'another',
  }
  const elsewhere = (change: Partial<StoredDraft>) => {
    const [draft] = [...drafts.values()]
    if (draft) drafts.set(draft._id, { ...draft, ...change, version: draft.version + 1 })
  }
  return { drafts: () => [...drafts.values()], calls, state, elsewhere, clear: () => drafts.clear() }
}

const setText = (store: DraftStore, caption: string) => store.update((draft) => setCaption(draft, null, { caption }))
const textOf = (draft: StoredDraft | undefined) => draft?.variants[0]?.message

test('stores the composer as a new draft, and later changes in the same one', async () => {
  const store = composed()
  const { drafts, calls, state } = server()
  expect(isUnsaved(store.get())).toBe(true)
  expect(await saveDraft(store, calls)).toBe('saved')
  expect(isUnsaved(store.get())).toBe(false)
  expect(await saveDraft(store, calls)).toBe('unchanged')
  setText(store, 'Better')
  store.update((draft) => addTime(draft, '2027-02-01T00:00:00.000Z'))
  expect(await saveDraft(store, calls)).toBe('saved')
  expect(drafts()).toMatchObject([{ version: 2, scheduledAt: '2027-02-01T00:00:00.000Z' }])
  expect(textOf(drafts()[0])).toBe('Better')
  expect(state.calls).toBe(2)
})

test('two saves at once store one draft', async () => {
  const store = composed()
  const { drafts, calls } = server()
  expect(await Promise.all([saveDraft(store, calls), saveDraft(store, calls)])).toEqual(['saved', 'unchanged'])
  expect(drafts()).toHaveLength(1)
})

test('a save with a lost response does not count as a change made elsewhere, even after more edits', async () => {
  const store = composed()
  const { drafts, calls, state } = server()
  await saveDraft(store, calls)
  setText(store, 'Second')
  state.lose = true
  expect(await saveDraft(store, calls)).toMatchObject({ code: 'FETCH_ERROR' })
  expect(storedState(store.get(), drafts()[0])).toBe('same')
  setText(store, 'Third')
  expect(storedState(store.get(), drafts()[0])).toBe('same')
  state.lose = false
  expect(await saveDraft(store, calls)).toBe('saved')
  expect(drafts()).toMatchObject([{ version: 3 }])
  expect(textOf(drafts()[0])).toBe('Third')
})

test('saving a new draft again after a lost response creates no second one', async () => {
  const store = composed()
  const { drafts, calls, state } = server()
  state.lose = true
  await saveDraft(store, calls)
  state.lose = false
  expect(await saveDraft(store, calls)).toBe('saved')
  expect(drafts()).toHaveLength(1)
})

test('a change made elsewhere is not overwritten, and both versions are kept', async () => {
  const store = composed()
  const { drafts, calls, elsewhere } = server()
  await saveDraft(store, calls)
  elsewhere({ title: 'Theirs' })
  setText(store, 'Mine, better')
  expect(await saveDraft(store, calls)).toBe('stale')
  expect(drafts()).toMatchObject([{ title: 'Theirs' }])
  expect(storedState(store.get(), drafts()[0])).toBe('changed')
  expect(store.get().global.caption).toBe('Mine, better')
})

test('a draft that was posted or deleted elsewhere is not created again without asking', async () => {
  const store = composed()
  const { drafts, calls, clear } = server()
  await saveDraft(store, calls)
  clear()
  setText(store, 'Still here')
  expect(await saveDraft(store, calls)).toBe('gone')
  expect(drafts()).toEqual([])
  expect(storedState(store.get(), 'gone')).toBe('gone')
})

test('saves nothing in the session of another user, without a page for the caption, or after sending', async () => {
  const signedOut = composed()
  const { drafts, calls } = server()
  expect(await saveDraft(signedOut, { ...calls, stillSignedIn: () => false })).toMatchObject({
    message: draftMessages.loggedOut,
  })
  const withoutPage = composed()
  withoutPage.update((draft) => togglePage(draft, page))
  expect(await saveDraft(withoutPage, calls)).toMatchObject({ message: draftMessages.wordsNeedPage })
  const tried = composed()
  tried.update((draft) => ({ ...draft, requestIds: { now: 'lost' } }))
  expect(await saveDraft(tried, calls)).toBe('unchanged')
  expect(drafts()).toEqual([])
})

test('saves nothing that was replaced or sent while its files were uploaded', async () => {
  const { drafts, calls, state } = server()
  for (const change of [
    (draft: Draft) => setCaption(togglePage(newDraft('next'), page), null, { caption: draft.global.caption }),
    (draft: Draft) => ({ ...draft, requestIds: { now: 'under way' } }),
  ]) {
    const store = composed()
    const awaitUploads = async () => await Promise.resolve(store.update(change))
    expect(await saveDraft(store, { ...calls, awaitUploads })).toBe('unchanged')
  }
  expect([state.calls, drafts()]).toEqual([0, []])
})

test.each([
  ['a new draft', false],
  ['a stored draft', true],
])('a save of %s does not belong to the draft that has replaced it meanwhile', async (_what, isStored) => {
  const store = composed()
  const { drafts, calls } = server()
  if (isStored) await saveDraft(store, calls)
  setText(store, 'First')
  const replace = () => store.update(() => setCaption(togglePage(newDraft('next'), page), null, { caption: 'Next' }))
  const create: SaveCalls['create'] = async (input) => {
    replace()
    return await calls.create(input)
  }
  const update: SaveCalls['update'] = async (input) => {
    replace()
    return await calls.update(input)
  }
  await saveDraft(store, { ...calls, create, update })
  expect(textOf(drafts()[0])).toBe('First')
  expect(store.get()).toMatchObject({ id: 'next', stored: null })
})

test('an edit during a save is still to be saved', async () => {
  const store = composed()
  const { drafts, calls } = server()
  const create: SaveCalls['create'] = async (input) => {
    setText(store, 'Later')
    return await calls.create(input)
  }
  expect(await saveDraft(store, { ...calls, create })).toBe('overtaken')
  expect(await saveDraft(store, calls)).toBe('saved')
  expect(drafts().map(textOf)).toEqual(['Later'])
})

test.each([
  ['its words changed since', (store: DraftStore) => setText(store, 'Other words'), 'Mine', 'Other words'],
  ['it was changed elsewhere', () => {}, 'Theirs', 'Mine'],
])(
  'a new draft whose response was lost is stored as another one if %s',
  async (_what, change, firstWords, secondWords) => {
    const store = composed()
    const { drafts, calls, state, elsewhere } = server()
    state.lose = true
    await saveDraft(store, calls)
    state.lose = false
    const [first] = drafts()
    if (firstWords === 'Theirs')
      elsewhere({ variants: first?.variants.map((variant) => ({ ...variant, message: firstWords })) ?? [] })
    change(store)
    expect(await saveDraft(store, calls)).toBe('saved')
    expect(drafts().map(textOf)).toEqual([firstWords, secondWords])
    expect(store.get().stored?.id).toBe('draft another')
  },
)

test('saving the same words again after a lost response finds them stored', async () => {
  const store = composed()
  const { drafts, calls, state } = server()
  await saveDraft(store, calls)
  setText(store, 'Second')
  state.lose = true
  await saveDraft(store, calls)
  state.lose = false
  expect(await saveDraft(store, calls)).toBe('saved')
  expect(drafts()).toMatchObject([{ version: 2 }])
})
