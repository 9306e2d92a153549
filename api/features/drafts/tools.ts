import { toolMessages } from '@flashsheet/contracts/assistants/messages'
import {
  CreateDraftInput,
  Draft,
  DraftParam,
  ListDraftsInput,
  PostDraftInput,
  UpdateDraftInput,
} from '@flashsheet/contracts/drafts/schema'
import { CreatePostInput, PostResult } from '@flashsheet/contracts/posts/schema'
import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { changeOutput, postUrl, screenUrl, toolFor, type Tool } from '../../core/tools.ts'
import { createPost } from '../posts/service/create.ts'
import { createDraft, pageOfDrafts, updateDraft } from './service/drafts.ts'
import { postDraft } from './service/post-draft.ts'

/** Required here, because assistants repeat calls unattended. */
const requestId = z.string({ error: toolMessages.requestIdRequired }).min(1).max(200)
const NewPost = CreatePostInput.extend({ requestId })
const content =
  '`mediaIds` are of list_media, one video or up to ten pictures. `variants` has one entry for each page: `platform`, `socialAccountId` and `pageId` of list_accounts, `message` (the caption) and `title`; TikTok also needs `options.tiktok.privacyLevel`.'

const readingTool = toolFor('subscriber', 'posts:read', 'reads')
const addingTool = toolFor('subscriber', 'posts:write', 'adds')
const changingTool = toolFor('subscriber', 'posts:write', 'changes')

export const draftTools: readonly Tool[] = [
  readingTool({
    name: 'list_drafts',
    title: 'List drafts',
    description: 'Posts that are not sent yet, the newest first. `nextCursor` leads to the next page.',
    input: ListDraftsInput.extend({ limit: ListDraftsInput.shape.limit.unwrap().default(20) }),
    answer: z.object({ drafts: z.array(Draft), nextCursor: z.string().nullable() }),
    run: async (ctx, input) => {
      const { items, next } = await pageOfDrafts(ctx, input)
      return { drafts: items, nextCursor: next ?? null }
    },
  }),
  addingTool({
    name: 'create_draft',
    title: 'Write a draft',
    description: `The way to prepare a post: nobody but the artist sees a draft, and nothing is posted. ${content} \`scheduledAt\` is only remembered. schedule_draft or post_now sends it, once the artist asks for that. The same \`requestId\` makes one draft.`,
    creates: true,
    input: CreateDraftInput,
    answer: z.object({ ...changeOutput, draft: Draft }),
    run: async (ctx, input) => ({
      happened: toolMessages.drafted,
      link: screenUrl(ctx, '/drafts'),
      draft: await createDraft(ctx, input),
    }),
  }),
  changingTool({
    name: 'update_draft',
    title: 'Change a draft',
    description:
      'Changes a draft; what is left out stays. `version` is that of the draft as it was read: if it was changed since, the answer is a refusal with `current`.',
    input: UpdateDraftInput,
    answer: z.object({ ...changeOutput, draft: Draft }),
    run: async (ctx, input) => ({
      happened: toolMessages.draftChanged,
      link: screenUrl(ctx, '/drafts'),
      draft: await updateDraft(ctx, input),
    }),
  }),
  addingTool({
    name: 'schedule_draft',
    title: 'Schedule a draft',
    description:
      'Plans a draft, which then goes out by itself: `when` is a time, or `next-slot` for the next free time of the artist’s weekly queue. Only when the artist asked for it. The draft is gone with it; the same call again changes nothing more.',
    creates: true,
    isIdempotent: true,
    reachesOut: true,
    input: DraftParam.extend({ when: PostDraftInput.shape.when }),
    answer: PostResult.extend(changeOutput),
    run: async (ctx, input) => {
      if (input.when === 'now') throw invalid(toolMessages.nowIsPostNow, { when: toolMessages.nowIsPostNow })
      const made = await postDraft(ctx, input)
      const happened = toolMessages.scheduled(made.scheduledAt, made.targets.length)
      return { happened, link: postUrl(ctx, made._id), ...made }
    },
  }),
  addingTool({
    name: 'post_now',
    title: 'Post now',
    description: `Posts to each page at once, for everybody to see. Only when the artist asked for this post, now. Takes a draft by \`draftId\`, or what to post and a \`requestId\`. ${content} The same \`draftId\`, or the same \`requestId\` with the same content, posts once, however often it is sent.`,
    creates: true,
    isIdempotent: true,
    reachesOut: true,
    input: NewPost.partial().extend({ draftId: DraftParam.shape.draftId.optional() }),
    answer: PostResult.extend(changeOutput),
    run: async (ctx, { draftId, ...sent }) => {
      const isDraft = draftId !== undefined
      if (isDraft && (sent.mediaIds ?? sent.variants) !== undefined)
        throw invalid(toolMessages.draftOrContent, { draftId: toolMessages.draftOrContent })
      const { toGallery } = sent
      const made = isDraft
        ? await postDraft(ctx, { draftId, when: 'now', ...(toGallery === undefined ? {} : { toGallery }) })
        : await createPost(ctx, NewPost.parse(sent))
      return { happened: toolMessages.sent(made.targets.length), link: postUrl(ctx, made._id), ...made }
    },
  }),
]
