import { z } from 'zod'
import { pageInput, requestId, uuid } from '../input.ts'
import { instantInput } from '../instant.ts'
import { mediaLimits } from '../media/limits.ts'
import { postLimits } from '../posts/limits.ts'
import { postMessages } from '../posts/messages.ts'
import { PostCopy, PostParam, PostVariantInput, Title } from '../posts/schema.ts'
import { draftLimits, draftTimes } from './limits.ts'
import { draftMessages } from './messages.ts'

const content = {
  title: Title.optional(),
  mediaIds: z
    .array(uuid(postMessages.mediaUnknown))
    .max(mediaLimits.imagesPerPost, postMessages.tooManyImages)
    .optional(),
  variants: z.array(PostVariantInput).max(postLimits.variantsMax, postMessages.tooManyPages).optional(),
  /** The planned time; stored, but nothing happens at it. */
  scheduledAt: instantInput(postMessages.scheduleRequired).nullish(),
}

const version = z
  .number({ error: draftMessages.versionRequired })
  .int(draftMessages.versionRequired)
  // What the database can compare. Any of these numbers may be an old version, which is a conflict.
  .min(-2_147_483_648, draftMessages.versionRequired)
  .max(2_147_483_647, draftMessages.versionRequired)

/** Nothing is required: a draft may be finished later. */
export const CreateDraftInput = z.object({ ...content, requestId })
export type CreateDraftInput = z.infer<typeof CreateDraftInput>

export const DraftParam = z.object({ draftId: uuid() })
export type DraftParam = z.infer<typeof DraftParam>

/** Omitted fields do not change. `version` is the one that was read: a draft that has changed since is not overwritten. */
export const UpdateDraftInput = DraftParam.extend({ version, ...content })
export type UpdateDraftInput = z.infer<typeof UpdateDraftInput>

export const ListDraftsInput = z.object(pageInput(draftLimits.perArtist))
export type ListDraftsInput = z.infer<typeof ListDraftsInput>

export const DuplicatePostInput = PostParam.extend({ requestId })
export type DuplicatePostInput = z.infer<typeof DuplicatePostInput>

export const PostDraftInput = DraftParam.extend({
  when: z.union([z.enum(draftTimes), instantInput()], { error: draftMessages.whenRequired }),
  /** The version that was read; a draft that has changed since is not posted. */
  version: version.optional(),
  /** The last changes, which replace the draft's content and are posted without being stored first. */
  mediaIds: content.mediaIds,
  variants: content.variants,
  /** As in `CreatePostInput`. */
  toGallery: z.boolean().optional(),
})
export type PostDraftInput = z.infer<typeof PostDraftInput>

/** A post that is not sent yet. */
export const Draft = PostCopy.extend({
  _id: z.uuid(),
  /** Incremented with each change. */
  version: z.number().int(),
  scheduledAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Draft = z.infer<typeof Draft>
