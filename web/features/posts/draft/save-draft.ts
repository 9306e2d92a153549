import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import type { CreateDraftInput, Draft as StoredDraft, UpdateDraftInput } from '@flashsheet/contracts/drafts/schema'
import { failureOf, type Failure } from '../../../lib/failure.ts'
import type { DraftStore } from './draft-store.ts'
import type { Draft, StoredOrigin } from './draft.ts'
import { canSave } from './duplicate.ts'
import { contentOf, contentText, hasCaptionWithoutPage, isUnsaved, type DraftContent } from './stored-draft.ts'
import { PlainRefusal } from './submission.ts'

export type SaveCalls = {
  /** Resolves once these local files are in the library. Throws the failure of the first one that is refused. */
  arrive: (ids: readonly string[]) => Promise<void>
  create: (input: CreateDraftInput) => Promise<StoredDraft>
  update: (input: UpdateDraftInput) => Promise<StoredDraft>
  /** The stored draft as it is now. */
  current: (draftId: string) => Promise<StoredDraft>
  stillSignedIn: () => boolean
  newId: () => string
}

/**
 * `overtaken`: saved, and edited again meanwhile. `stale`: changed elsewhere. `gone`: posted or deleted elsewhere. In the last two cases
 * nothing was written.
 */
export type SaveOutcome = 'saved' | 'overtaken' | 'unchanged' | 'stale' | 'gone' | Failure

const turns = new Map<string, Promise<SaveOutcome>>()

/**
 * Stores the composer's content in the draft that was opened, or as a new one. Saves of one user run one after the other, so that the
 * second of two at once finds nothing to do.
 */
export async function saveDraft(store: DraftStore, calls: SaveCalls): Promise<SaveOutcome> {
  const before = turns.get(store.userId)
  const turn = (async () => {
    await before
    const outcome = await save(store, calls)
    return outcome === 'saved' && isUnsaved(store.get()) ? 'overtaken' : outcome
  })()
  turns.set(store.userId, turn)
  return await turn
}

async function save(store: DraftStore, calls: SaveCalls): Promise<SaveOutcome> {
  const { id } = store.get()
  const isStillToSave = (draft: Draft) => draft.id === id && canSave(draft) && isUnsaved(draft)
  try {
    if (!isStillToSave(store.get())) return 'unchanged'
    await calls.arrive(store.get().media.flatMap((item) => (item.mediaId === null ? item._id : [])))
    const draft = store.get()
    if (!isStillToSave(draft)) return 'unchanged'
    if (!calls.stillSignedIn()) throw new PlainRefusal(draftMessages.loggedOut)
    if (hasCaptionWithoutPage(draft)) throw new PlainRefusal(draftMessages.wordsNeedPage)
    const content = contentOf(draft)
    if (draft.stored) return await update(store, calls, draft.stored, content)
    const made = await create(calls, draft.id, content)
    store.update((now) => (now.id === id && !now.stored ? { ...now, stored: originOf(made, content) } : now))
    return 'saved'
  } catch (error) {
    return error instanceof PlainRefusal
      ? { message: error.message, code: 'invalid' }
      : failureOf(error, draftMessages.saveFailed)
  }
}

/** A repeat after a lost answer returns the draft that the first call created. If the content differs by now, it creates another one. */
async function create(calls: SaveCalls, requestId: string, content: DraftContent): Promise<StoredDraft> {
  try {
    const made = await calls.create({ ...content, requestId })
    if (contentText(made) === contentText(content)) return made
  } catch (error) {
    if (failureOf(error, '').code !== 'conflict') throw error
  }
  return await calls.create({ ...content, requestId: calls.newId() })
}

async function update(
  store: DraftStore,
  calls: SaveCalls,
  stored: StoredOrigin,
  content: DraftContent,
): Promise<SaveOutcome> {
  const note = (origin: StoredOrigin) =>
    store.update((now) => (now.stored?.id === stored.id ? { ...now, stored: origin } : now))
  const text = contentText(content)
  // Noted before the call, so that a lost answer is not mistaken for somebody else's change.
  note({ ...stored, tried: text })
  try {
    note(originOf(await calls.update({ draftId: stored.id, version: stored.version, ...content }), content))
    return 'saved'
  } catch (error) {
    const { code } = failureOf(error, '')
    if (code === 'notFound') return 'gone'
    if (code !== 'conflict') throw error
  }
  const current = await calls.current(stored.id).catch((error: unknown) => {
    if (failureOf(error, '').code === 'notFound') return null
    throw error
  })
  if (current === null) return 'gone'
  const theirs = contentText(current)
  if (theirs === text) {
    note(originOf(current, content))
    return 'saved'
  }
  // This content is from an earlier save of ours whose answer was lost.
  if (theirs === stored.tried) return await update(store, calls, originOf(current, content), content)
  note({ ...stored, tried: null })
  return 'stale'
}

const originOf = ({ _id, version }: StoredDraft, content: DraftContent): StoredOrigin => ({
  id: _id,
  version,
  content: contentText(content),
  tried: null,
})
