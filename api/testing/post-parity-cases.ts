import { picture } from '@flashsheet/sandbox/fixtures/videos'
import type { Artist } from './actors.ts'
import type { TestApp } from './app.ts'
import { connect } from './connect.ts'
import { parityCase, unknownId, type Case } from './parity-case.ts'

const unknownPost = {
  mediaIds: [unknownId],
  variants: [{ platform: 'facebook' as const, socialAccountId: unknownId, pageId: '1', title: '', message: 'Hello' }],
}

/** The body of a post with a picture and a page of this artist. */
export async function ownPost(app: TestApp, artist: Artist): Promise<typeof unknownPost> {
  const account = await connect(app, artist, 'facebook')
  const form = new FormData()
  form.append('files', new File([new Uint8Array(await picture(800, 800, 1))], 'dagger.jpg', { type: 'image/jpeg' }))
  const uploaded = (await (await artist.fetch('/api/media/upload', { method: 'POST', body: form })).json()) as {
    _id: string
  }[]
  return {
    mediaIds: uploaded.map((item) => item._id),
    variants: [{ ...unknownPost.variants[0]!, socialAccountId: account._id, pageId: account.pages[0]?.pageId ?? '' }],
  }
}

/** Calls about posts and drafts; `app` is called when a case runs. */
export const postCases = (app: () => TestApp): Case<never>[] => [
  parityCase(
    'post nothing',
    async (v) => await v.post('/api/posts', {}),
    async (v) => await v.trpc.posts.create.mutate({} as never),
  ),
  parityCase(
    'post unknown media to an unknown page',
    async (v) => await v.post('/api/posts', unknownPost),
    async (v) => await v.trpc.posts.create.mutate(unknownPost),
  ),
  parityCase(
    'schedule for yesterday',
    async (v) => await v.post('/api/posts/schedule', { ...unknownPost, scheduledAt: '2020-01-01T00:00:00Z' }),
    async (v) => await v.trpc.posts.schedule.mutate({ ...unknownPost, scheduledAt: '2020-01-01T00:00:00Z' }),
  ),
  parityCase<typeof unknownPost>(
    'post',
    async (v, input) => await v.post('/api/posts', input),
    async (v, input) => await v.trpc.posts.create.mutate(input),
    async (artist) => await ownPost(app(), artist),
  ),
  parityCase<typeof unknownPost>(
    'schedule',
    async (v, input) => await v.post('/api/posts/schedule', { ...input, scheduledAt: '2099-01-01T09:30:00.000Z' }),
    async (v, input) => await v.trpc.posts.schedule.mutate({ ...input, scheduledAt: '2099-01-01T09:30:00.000Z' }),
    async (artist) => await ownPost(app(), artist),
  ),
  ...(['cancel', 'retry', 'publish'] as const).map((act) =>
    parityCase(
      `${act} an unknown post`,
      async (v) =>
        act === 'cancel' ? await v.delete(`/api/posts/${unknownId}`) : await v.post(`/api/posts/${unknownId}/${act}`),
      async (v) => await v.trpc.posts[act === 'publish' ? 'publishNow' : act].mutate({ postId: unknownId }),
    ),
  ),
  parityCase(
    'duplicate an unknown post',
    async (v) => await v.post(`/api/posts/${unknownId}/duplicate`),
    async (v) => await v.trpc.drafts.duplicate.mutate({ postId: unknownId }),
  ),
  parityCase(
    'the queue',
    async (v) => await v.get('/api/queue'),
    async (v) => await v.trpc.posts.queue.query(),
  ),
  parityCase(
    'change the queue wrongly',
    async (v) => await v.put('/api/queue', { timeZone: 'Mars', slots: [{ days: [0], time: '25:00' }] }),
    async (v) => await v.trpc.posts.saveQueue.mutate({ timeZone: 'Mars', slots: [{ days: [0], time: '25:00' }] }),
  ),
  parityCase(
    'change the queue',
    async (v) => await v.put('/api/queue', { slots: [{ days: [5, 1, 5], time: '09:00' }] }),
    async (v) => await v.trpc.posts.saveQueue.mutate({ slots: [{ days: [5, 1, 5], time: '09:00' }] }),
  ),
  parityCase(
    'the next slots',
    async (v) => await v.get('/api/queue/next?count=3'),
    async (v) => await v.trpc.posts.nextSlots.query({ count: 3 }),
  ),
  parityCase<typeof unknownPost>(
    'schedule without slots',
    async (v, input) => await v.post('/api/posts/schedule', { ...input, scheduledAt: 'next-slot' }),
    async (v, input) => await v.trpc.posts.schedule.mutate({ ...input, scheduledAt: 'next-slot' }),
    async (artist) => await ownPost(app(), artist),
  ),
  parityCase(
    'list drafts',
    async (v) => await v.get('/api/drafts'),
    async (v) => await v.trpc.drafts.list.query({}),
  ),
  parityCase(
    'read an unknown draft',
    async (v) => await v.get(`/api/drafts/${unknownId}`),
    async (v) => await v.trpc.drafts.get.query({ draftId: unknownId }),
  ),
  parityCase(
    'draft with unknown media',
    async (v) => await v.post('/api/drafts', unknownPost),
    async (v) => await v.trpc.drafts.create.mutate(unknownPost),
  ),
  parityCase<typeof unknownPost>(
    'draft',
    async (v, input) => await v.post('/api/drafts', { ...input, title: 'Later' }),
    async (v, input) => await v.trpc.drafts.create.mutate({ ...input, title: 'Later' }),
    async (artist) => await ownPost(app(), artist),
  ),
  parityCase(
    'change a draft without its version',
    async (v) => await v.put(`/api/drafts/${unknownId}`, { title: 'Later' }),
    async (v) => await v.trpc.drafts.update.mutate({ draftId: unknownId, title: 'Later' } as never),
  ),
  parityCase<string>(
    'change a draft with an outdated version',
    async (v, draftId) => await v.put(`/api/drafts/${draftId}`, { version: 7, title: 'Later' }),
    async (v, draftId) => await v.trpc.drafts.update.mutate({ draftId, version: 7, title: 'Later' }),
    async (artist) => (await artist.trpc.drafts.create.mutate({ title: 'Mine' }))._id,
  ),
  parityCase(
    'delete an unknown draft',
    async (v) => await v.delete(`/api/drafts/${unknownId}`),
    async (v) => await v.trpc.drafts.remove.mutate({ draftId: unknownId }),
  ),
  parityCase(
    'post an unknown draft',
    async (v) => await v.post(`/api/drafts/${unknownId}/post`, { when: 'now' }),
    async (v) => await v.trpc.drafts.post.mutate({ draftId: unknownId, when: 'now' }),
  ),
  parityCase<string>(
    'post an unfinished draft',
    async (v, draftId) => await v.post(`/api/drafts/${draftId}/post`, { when: 'now' }),
    async (v, draftId) => await v.trpc.drafts.post.mutate({ draftId, when: 'now' }),
    async (artist) => (await artist.trpc.drafts.create.mutate({ title: 'Mine' }))._id,
  ),
  parityCase(
    'read an unknown post',
    async (v) => await v.get(`/api/posts/${unknownId}`),
    async (v) => await v.trpc.posts.get.query({ postId: unknownId }),
  ),
]
