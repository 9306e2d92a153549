import { hasPassed } from '@flashsheet/contracts/time'
import { networks } from '@flashsheet/contracts/networks'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, PostVariant, UpdatePostInput } from '@flashsheet/contracts/posts/schema'
import type { Caption } from '../draft/draft.ts'

/** The edited values of a scheduled post: its time, and the captions by variant id. */
export type PostEdit = {
  scheduledAt: Date | null
  words: Readonly<Record<string, Caption>>
  /** Saving takes the post out of the queue, even if its time is unchanged. */
  leavesQueue?: boolean
}

/** An edit without the values that are those of the post, so that these follow changes made elsewhere. */
export type PostChanges = Partial<Omit<PostEdit, 'words'>> & { words?: Readonly<Record<string, Partial<Caption>>> }

/** Changes as stored in the browser. */
type StoredChanges = Omit<PostChanges, 'scheduledAt'> & { scheduledAt?: number | null }
export const storedChanges = ({ scheduledAt, ...changes }: PostChanges): StoredChanges => ({
  ...changes,
  ...(scheduledAt === undefined ? {} : { scheduledAt: scheduledAt?.getTime() ?? null }),
})
export const restoreChanges = ({ scheduledAt, ...changes }: StoredChanges): PostChanges => ({
  ...changes,
  ...(scheduledAt === undefined ? {} : { scheduledAt: scheduledAt === null ? null : new Date(scheduledAt) }),
})

/** The fields of changes by name, to compare them with those of the post. */
export const fieldsOf = ({ scheduledAt, words = {} }: PostChanges): Record<string, unknown> => ({
  ...(scheduledAt === undefined ? {} : { scheduledAt: scheduledAt?.getTime() }),
  ...Object.fromEntries(
    Object.entries(words).flatMap(([id, caption]) =>
      Object.entries(caption).map(([field, words]) => [fieldName(id, field), words]),
    ),
  ),
})
const fieldName = (variantId: string, field: string) => `${field} ${variantId}`

/** Whether changes hold anything: an edit may have been undone. */
export const isEdited = (changes: PostChanges): boolean =>
  changes.leavesQueue === true || Object.keys(fieldsOf(changes)).length > 0

/** Changes without these fields. */
export const withoutFields = ({ scheduledAt, words = {}, ...others }: PostChanges, names: string[]): PostChanges => ({
  ...others,
  ...(scheduledAt === undefined || names.includes('scheduledAt') ? {} : { scheduledAt }),
  words: Object.fromEntries(
    Object.entries(words).map(([id, caption]) => [
      id,
      Object.fromEntries(Object.entries(caption).filter(([field]) => !names.includes(fieldName(id, field)))),
    ]),
  ),
})

export function beginEdit(post: Post): PostEdit {
  return {
    scheduledAt: new Date(post.scheduledAt),
    words: Object.fromEntries(
      post.variants.map((variant) => [variant._id, { title: variant.title, caption: variant.message }]),
    ),
  }
}

/** The edit of a post with these changes. */
export function withChanges(post: Post, { words, ...changes }: PostChanges): PostEdit {
  const begun = beginEdit(post)
  return {
    ...begun,
    ...changes,
    words: Object.fromEntries(Object.entries(begun.words).map(([id, caption]) => [id, { ...caption, ...words?.[id] }])),
  }
}

/** What an edit changes in a post. */
export function changesOf(post: Post, { scheduledAt, words, ...others }: PostEdit): PostChanges {
  const begun = beginEdit(post)
  return {
    ...others,
    ...(scheduledAt?.getTime() === begun.scheduledAt?.getTime() ? {} : { scheduledAt }),
    words: Object.fromEntries(
      Object.entries(words).flatMap(([id, edited]) => {
        const { title, caption } = begun.words[id] ?? {}
        const changed = {
          ...(edited.title === title ? {} : { title: edited.title }),
          ...(edited.caption === caption ? {} : { caption: edited.caption }),
        }
        return Object.keys(changed).length > 0 ? [[id, changed]] : []
      }),
    ),
  }
}

/** Whether no page's publishing has begun in the loaded state. The server checks again. */
export function isEditable(post: Post): boolean {
  return post.status === 'scheduled' && post.variants.every((variant) => variant.phase === 'scheduled')
}

/** Whether publishing has not begun on a page, so that it can still be published now. */
export const isWaiting = (variant: Pick<PostVariant, 'phase'>): boolean => variant.phase === 'scheduled'

/** Whether a page is being published, which cannot be cancelled. */
export const isPublishing = (variant: Pick<PostVariant, 'status' | 'phase'>): boolean =>
  variant.status === 'scheduled' && variant.phase !== 'scheduled'

/** A page has a title input if its network shows titles or it has a title already. */
export function hasTitle(variant: Post['variants'][number]): boolean {
  return networks[variant.platform].title !== undefined || variant.title !== ''
}

/** Copies one page's caption to all pages, without its title to pages that have none. */
export function copyCaption(post: Post, edit: PostEdit, fromId: string): PostEdit {
  const words = edit.words[fromId]
  if (!words) return edit
  return {
    ...edit,
    words: Object.fromEntries(
      post.variants.map((variant) => [
        variant._id,
        hasTitle(variant) ? words : { title: edit.words[variant._id]?.title ?? '', caption: words.caption },
      ]),
    ),
  }
}

/** Why the time cannot be saved. */
export function timeProblem(post: Post, edit: PostEdit, now: number): string | undefined {
  if (!edit.scheduledAt) return postMessages.scheduleRequired
  const isMoved = edit.scheduledAt.getTime() !== Date.parse(post.scheduledAt)
  return (isMoved || edit.leavesQueue) && hasPassed(edit.scheduledAt, now) ? postMessages.schedulePast : undefined
}

export function isTooLong(edit: PostEdit): boolean {
  return Object.values(edit.words).some(
    ({ title, caption }) => title.length > postLimits.titleMax || caption.length > postLimits.captionMax,
  )
}

/**
 * The input of `PUT /api/posts/{postId}`. What was not edited is omitted: an unchanged time may have passed, and another device may
 * have saved another caption since the post was read.
 */
export function editRequest(post: Post, edit: PostEdit): UpdatePostInput {
  const { scheduledAt, words = {} } = changesOf(post, edit)
  return {
    postId: post._id,
    ...(scheduledAt ? { scheduledAt: scheduledAt.toISOString() } : {}),
    ...(edit.leavesQueue ? { leavesQueue: true } : {}),
    variants: Object.entries(words).map(([_id, { title, caption }]) => ({ _id, title, message: caption })),
  }
}

/** Whether a post is stored as it was sent. */
export function isSaved({ scheduledAt, leavesQueue, variants = [] }: UpdatePostInput, stored: Post): boolean {
  return (
    (scheduledAt === undefined || Date.parse(scheduledAt) === Date.parse(stored.scheduledAt)) &&
    (leavesQueue !== true || stored.queue === undefined) &&
    variants.every(({ _id, title, message }) =>
      stored.variants.some(
        (variant) =>
          variant._id === _id &&
          (title === undefined || title === variant.title) &&
          (message === undefined || message === variant.message),
      ),
    )
  )
}
