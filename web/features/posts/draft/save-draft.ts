import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import type { CreateDraftInput, Draft as StoredDraft, UpdateDraftInput } from '@flashsheet/contracts/drafts/schema'
import { failureOf, type Failure } from '../../../lib/failure.ts'
import type { DraftStore } from './draft-store.ts'
import type { Draft, StoredOrigin } from './draft.ts'
import { canSave } from './duplicate.ts'
import { contentOf, contentText, hasCaptionWithoutPage, isUnsaved, type DraftContent } from './stored-draft.ts'
import { submissionFailure, UserFacingError } from './submission.ts'

export type SaveCalls = {
  /** Resolves once these local files are in the library. Rejects with the failure of the first refused one. */
  awaitUploads: (ids: readonly string[]) => Promise<void>
  create: (input: CreateDraftInput) => Promise<StoredDraft>
  update: (input: UpdateDraftInput) => Promise<StoredDraft>
  /** The stored draft as it is now. */
  current: (draftId: string) => Promise<StoredDraft>
  stillSignedIn: () => boolean
  newId: () => string
}

/**
 * `overtaken`: saved, but edited again during the save. `stale`: not saved, because the draft was changed elsewhere. `gone`: not saved,
 * because it was posted or deleted elsewhere.
 */
export type SaveOutcome = 'saved' | 'overtaken' | 'unchanged' | 'stale' | 'gone' | Failure

const pendingSaves = new Map<string, Promise<SaveOutcome>>()

/**
 * Stores the composer's content in the opened draft, or as a new one. Saves of one user run one after the other, so the second of two
 * concurrent ones finds nothing to save.
 */
export async function saveDraft(store: DraftStore, calls: SaveCalls): Promise<SaveOutcome> {
  const previous = pendingSaves.get(store.userId)
  const thisSave = (async () => {
    await previous
    const outcome = await save(store, calls)
    return outcome === 'saved' && isUnsaved(store.get()) ? 'overtaken' : outcome
  })()
  pendingSaves.set(store.userId, thisSave)
  return await thisSave
}

async function save(store: DraftStore, calls: SaveCalls): Promise<SaveOutcome> {
  const { id } = store.get()
  const isStillToSave = (draft: Draft) => draft.id === id && canSave(draft) && isUnsaved(draft)
  try {
    if (!isStillToSave(store.get())) return 'unchanged'
    await calls.awaitUploads(store.get().media.flatMap((item) => (item.mediaId === null ? item._id : [])))
    const draft = store.get()
    if (!isStillToSave(draft)) return 'unchanged'
    if (!calls.stillSignedIn()) throw new UserFacingError(draftMessages.loggedOut)
    if (hasCaptionWithoutPage(draft)) throw new UserFacingError(draftMessages.wordsNeedPage)
    const content = contentOf(draft)
    if (draft.stored) return await update(store, calls, draft.stored, content)
    const created = await create(calls, draft.id, content)
    store.update((now) => (now.id === id && !now.stored ? { ...now, stored: originOf(created, content) } : now))
    return 'saved'
  } catch (error) {
    return submissionFailure(error, draftMessages.saveFailed)
  }
}

/** A repeat after a lost response returns the draft of the first call. If the content has changed since, another draft is created. */
async function create(calls: SaveCalls, requestId: string, content: DraftContent): Promise<StoredDraft> {
  try {
    const created = await calls.create({ ...content, requestId })
    if (contentText(created) === contentText(content)) return created
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
  const setOrigin = (origin: StoredOrigin) =>
    store.update((now) => (now.stored?.id === stored.id ? { ...now, stored: origin } : now))
  const text = contentText(content)
  // Recorded before the call, so that after a lost response our own save is not taken for a change made elsewhere.
  setOrigin({ ...stored, tried: text })
  try {
    setOrigin(originOf(await calls.update({ draftId: stored.id, version: stored.version, ...content }), content))
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
  const currentText = contentText(current)
  if (currentText === text) {
    setOrigin(originOf(current, content))
    return 'saved'
  }
  // The stored content comes from an earlier save of ours whose response was lost.
  if (currentText === stored.tried) return await update(store, calls, originOf(current, content), content)
  setOrigin({ ...stored, tried: null })
  return 'stale'
}

const originOf = ({ _id, version }: StoredDraft, content: DraftContent): StoredOrigin => ({
  id: _id,
  version,
  content: contentText(content),
  tried: null,
})
