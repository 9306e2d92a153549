import { toolMessages } from '@flashsheet/contracts/assistants/messages'
import { FromUrlInput, FromUrlParam, FromUrlState, ListMediaInput, MediaItem } from '@flashsheet/contracts/media/schema'
import { z } from 'zod'
import { changeOutput, screenUrl, toolFor, type Tool } from '../../core/tools.ts'
import { fetchAndWait, getFromUrlState } from './service/fetch-from-url.ts'
import { pageOfMedia } from './service/list.ts'

const readingTool = toolFor('subscriber', 'media:read', 'reads')
const addingTool = toolFor('subscriber', 'media:write', 'adds')

export const mediaTools: readonly Tool[] = [
  readingTool({
    name: 'list_media',
    title: 'List media',
    description:
      'The pictures and videos of the library, the newest first. A post names them by `_id`. `nextCursor` leads to the next page.',
    input: ListMediaInput.extend({ limit: ListMediaInput.shape.limit.unwrap().default(20) }),
    answer: z.object({ media: z.array(MediaItem), nextCursor: z.string().nullable() }),
    run: async (ctx, input) => {
      const { items, next } = await pageOfMedia(ctx, input)
      return { media: items, nextCursor: next ?? null }
    },
  }),
  addingTool({
    name: 'add_media_from_url',
    title: 'Add a picture or video from an address',
    description:
      'Fetches a picture or video from a public https address into the library. Waits a few seconds for it: once `state` is `done`, `item` is there; while it is `fetching`, get_added_media tells. The same `requestId` fetches once.',
    creates: true,
    reachesOut: true,
    input: FromUrlInput,
    answer: FromUrlState.extend({ ...changeOutput, jobId: z.uuid() }),
    run: async (ctx, input) => {
      const { _id: jobId, ...state } = await fetchAndWait(ctx, input)
      const happened = state.item ? toolMessages.added(state.item.name) : (state.message ?? toolMessages.fetching)
      return { happened, link: screenUrl(ctx, '/media'), jobId, ...state }
    },
  }),
  readingTool({
    name: 'get_added_media',
    title: 'Read what became of an added picture or video',
    description: 'What became of add_media_from_url, for seven days; `jobId` is from its answer.',
    input: FromUrlParam,
    answer: FromUrlState,
    run: getFromUrlState,
  }),
]
