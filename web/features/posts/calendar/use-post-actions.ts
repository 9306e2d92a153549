import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post } from '@flashsheet/contracts/posts/schema'
import type { Platform } from '@flashsheet/contracts/networks'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { deletionHandlers } from '../../../lib/deletion-handlers.ts'
import { rereadOptions } from '../../../lib/confirm-save.ts'
import { failureOf } from '../../../lib/failure.ts'
import { useSessionUser } from '../../../lib/session.ts'
import { showFailureToast } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useIsMounted } from '../../../lib/use-is-mounted.ts'
import { useSingleFlight } from '../../../lib/use-single-flight.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { toast } from '../../../ui/toast.tsx'
import { uploads } from '../../media/uploads.ts'
import { goToNetwork } from '../../social/go-to-network.ts'
import { applyPostsChange } from './calendar-posts.ts'
import { wizardDraft } from '../draft/draft-uploads.ts'
import { duplicateDraft } from '../draft/duplicate.ts'
import { isUnsaved } from '../draft/stored-draft.ts'
import type { PostChanges } from './scheduled-edit.ts'

export type PostActions = ReturnType<typeof usePostActions>

const fallback = 'That did not work'

/** `onClose`: the post was deleted, or the wizard opens. */
export function usePostActions(postId: string, onClose: () => void) {
  const utils = trpc.useUtils()
  const isMounted = useIsMounted()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const user = useSessionUser()
  const composer = user && wizardDraft(user._id, uploads)

  /** Reports a failure, unless the call had no answer and `isDone` says that it was carried out. */
  const handleError = async (
    error: unknown,
    done = '',
    isDone: (post: Post) => boolean = () => false,
  ): Promise<void> => {
    const failure = failureOf(error, fallback)
    // The dialog says itself that the post is gone.
    const report = () => (failure.code !== 'notFound' || !isMounted()) && showFailureToast(failure)
    // Refusals have no detail.
    const isUnanswered = failure.detail !== undefined
    if (!isUnanswered) report()
    // The loaded state may be outdated.
    const current = await utils.posts.get.fetch({ postId }, rereadOptions).catch(() => undefined)
    if (current && isUnanswered && isDone(current)) toast.success(done)
    else if (isUnanswered) report()
    applyPostsChange(
      queryClient,
      utils,
      current ? { posts: [current], gone: [] } : { posts: [], gone: failure.code === 'notFound' ? [postId] : [] },
    )
  }
  /** For an action that answers with the changed post. */
  const reporting = (done: string) => ({
    onSuccess: (post: Post) => {
      applyPostsChange(queryClient, utils, { posts: [post], gone: [] })
      toast.success(done)
    },
    onError: async (error: unknown) => await handleError(error),
  })
  const retried = {
    ...reporting(postMessages.retrying),
    onError: async (error: unknown, { variantId }: { variantId?: string | undefined }) =>
      await handleError(error, postMessages.retrying, ({ variants }) =>
        variants.every(
          ({ _id, status, mayBeThere }) =>
            status !== 'failed' || (variantId === undefined ? mayBeThere !== null : _id !== variantId),
        ),
      ),
  }
  /** The form shows the error, unless it was left or goes because another device has answered. */
  const marked = {
    ...reporting(postMessages.markedPosted),
    onError: async (error: unknown) => {
      if (!isMounted() || failureOf(error, fallback).message === postMessages.nothingFailed) await handleError(error)
    },
  }
  const publishing = trpc.posts.publishNow.useMutation({
    ...reporting(postMessages.publishingNow),
    onMutate: () => utils.posts.get.getData({ postId })?.scheduledAt,
    onError: async (error, _, scheduledAt) =>
      await handleError(
        error,
        postMessages.publishingNow,
        (post) => scheduledAt !== undefined && post.scheduledAt !== scheduledAt,
      ),
  })
  const retrying = trpc.posts.retry.useMutation(retried)
  const marking = trpc.posts.markPosted.useMutation(marked)
  const picking = trpc.posts.pickCandidate.useMutation(marked)
  const sending = trpc.posts.postAgain.useMutation(retried)
  const removing = trpc.posts.remove.useMutation(
    deletionHandlers(() => {
      applyPostsChange(queryClient, utils, { posts: [], gone: [postId] })
      toast.success(postMessages.deleted)
      onClose()
    }, handleError),
  )

  /** With captions that were edited and not saved, by variant id. */
  const duplicate = async (post: Post, edited: PostChanges['words'] = {}): Promise<void> => {
    if (!composer) return
    try {
      const library = await utils.media.list.fetch()
      const variants = post.variants.map((variant) => {
        const { title = variant.title, caption = variant.message } = edited[variant._id] ?? {}
        return { ...variant, title, message: caption }
      })
      // The artist has left, and may be writing another post.
      if (!isMounted()) return
      composer.update(() => duplicateDraft({ ...post, variants }, library, newUuid()))
      onClose()
      await navigate({ to: '/new-post' })
    } catch (error) {
      await handleError(error)
    }
  }

  /** The running action, or the id of its variant. */
  const pendingAction = () => {
    if (publishing.isPending) return 'publishNow'
    if (removing.isPending) return 'remove'
    if (retrying.isPending) return retrying.variables.variantId ?? 'retry'
    return [marking, picking, sending].find(({ isPending }) => isPending)?.variables?.variantId ?? null
  }
  /** Why the address or candidate of this page was refused. */
  const markError = (variantId: string) => {
    const { error, variables } = marking.variables ? marking : picking
    return error && variables?.variantId === variantId ? failureOf(error, fallback).message : undefined
  }

  const publishNow = useSingleFlight(publishing.mutateAsync)
  const retry = useSingleFlight(retrying.mutateAsync)

  return {
    publishNow: () => publishNow({ postId }),
    /** Retries one failed page, or all of them. */
    retry: (variantId?: string) => retry({ postId, variantId }),
    /** The artist found the post at this address. */
    markPosted: (variantId: string, address: string, onDone: () => void) => {
      picking.reset()
      marking.mutate({ postId, variantId, address }, { onSuccess: onDone })
    },
    /** Like `markPosted`, with a post from the network's list. */
    pickCandidate: (variantId: string, candidateId: string, onDone: () => void) => {
      marking.reset()
      picking.mutate({ postId, variantId, candidateId }, { onSuccess: onDone })
    },
    markError,
    /** The artist did not find the post. */
    postAgain: (variantId: string, onDone: () => void) => sending.mutate({ postId, variantId }, { onSuccess: onDone }),
    /** Retries a page whose account must be reconnected, and goes to the network. */
    reconnect: (variantId: string, platform: Platform) =>
      retrying.mutate({ postId, variantId }, { onSuccess: () => goToNetwork(platform) }),
    remove: () => removing.mutate({ postId }),
    duplicate: (post: Post, edited: PostChanges['words']) => void duplicate(post, edited),
    /** Whether a duplicate would replace unsaved work in the composer, which another tab may have changed. */
    hasDraft: () => composer !== null && isUnsaved(composer.get()),
    pending: pendingAction(),
  }
}
