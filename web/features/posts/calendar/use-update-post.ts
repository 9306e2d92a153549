import type { Post, UpdatePostInput } from '@flashsheet/contracts/posts/schema'
import { confirmSave, rereadOptions } from '../../../lib/confirm-save.ts'
import { trpc } from '../../../lib/trpc.ts'
import { isSaved } from './scheduled-edit.ts'

/** Saves a scheduled post. Succeeds also if the answer is lost and the post is stored as it was sent. */
export function useUpdatePost(): (input: UpdatePostInput) => Promise<Post> {
  const utils = trpc.useUtils()
  return async (input) =>
    await confirmSave(
      utils.client.posts.update.mutate(input),
      async () => await utils.posts.get.fetch({ postId: input.postId }, rereadOptions),
      (stored) => isSaved(input, stored),
    )
}
