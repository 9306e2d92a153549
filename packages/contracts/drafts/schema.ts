import { z } from 'zod'
import { instantInput } from '../instant.ts'
import { atMost } from '../max-length.ts'
import { mediaLimits } from '../media/limits.ts'
import { postLimits } from '../posts/limits.ts'
import { postMessages } from '../posts/messages.ts'
import { PostCopy, PostVariantInput } from '../posts/schema.ts'
import { draftLimits, draftTimes } from './limits.ts'
import { draftMessages } from './messages.ts'

const requestId = z.string().min(1).max(200).optional()

const content = {
  title: z.string().check(atMost(postLimits.titleMax, postMessages.titleTooLong)).optional(),
  mediaIds: z
    .array(z.uuid({ error: postMessages.mediaUnknown }))
    .max(mediaLimits.imagesPerPost, postMessages.tooManyImages)
    .optional(),
  variants: z.array(PostVariantInput).max(postLimits.variantsMax).optional(),
  /** When its artist means to post it; only remembered. */
  scheduledAt: instantInput(postMessages.scheduleRequired).nullish(),
}

/** Nothing is required: a draft may be finished later. */
export const CreateDraftInput = z.object({
  ...content,
  /** One draft per id, however often it is sent; REST callers send it as `Idempotency-Key`. */
  requestId,
})
export type CreateDraftInput = z.infer<typeof CreateDraftInput>

/** What is left out stays. */
export const UpdateDraftInput = z.object({
  draftId: z.uuid(),
  /** The one that was read: a draft that is another by now is not written over. */
  version: z.number({ error: draftMessages.versionRequired }).int(draftMessages.versionRequired),
  ...content,
})
export type UpdateDraftInput = z.infer<typeof UpdateDraftInput>

export const DraftParam = z.object({ draftId: z.uuid() })
export type DraftParam = z.infer<typeof DraftParam>

export const ListDraftsInput = z.object({
  limit: z.coerce.number().int().min(1).max(draftLimits.perArtist).default(draftLimits.perArtist),
  /** Where the page before ended. */
  cursor: z.string().max(200).optional(),
})
export type ListDraftsInput = z.infer<typeof ListDraftsInput>

export const DuplicatePostInput = z.object({
  postId: z.uuid(),
  /** As for a new draft. */
  requestId,
})
export type DuplicatePostInput = z.infer<typeof DuplicatePostInput>

export const PostDraftInput = z.object({
  draftId: z.uuid(),
  when: z.union([z.enum(draftTimes), instantInput()], { error: draftMessages.whenRequired }),
  /** The one that was read; a draft that is another by now is not posted. */
  version: z.number({ error: draftMessages.versionRequired }).int(draftMessages.versionRequired).optional(),
  /** In place of what the draft holds: its last changes, posted without being stored first. */
  mediaIds: content.mediaIds,
  variants: content.variants,
  /** As for a post. */
  toGallery: z.boolean().optional(),
})
export type PostDraftInput = z.infer<typeof PostDraftInput>

/** A post that is not sent yet. */
export const Draft = PostCopy.extend({
  _id: z.uuid(),
  /** Grows with each change. */
  version: z.number().int(),
  scheduledAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Draft = z.infer<typeof Draft>
