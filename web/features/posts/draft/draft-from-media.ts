import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { addMedia, fromLibrary, newDraft, type Draft } from './draft.ts'

/** A new draft with these items, at step 2. `message`: why they cannot be in one post. */
export function draftFromMedia(items: readonly MediaItem[], id: string): { draft: Draft; message: string | null } {
  const { draft, message } = addMedia({ ...newDraft(id), tab: 'library' }, items.map(fromLibrary))
  return { draft: { ...draft, step: 2 }, message }
}
