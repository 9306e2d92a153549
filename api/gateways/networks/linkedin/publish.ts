import { searchStartMs } from '../ambiguous-posts.ts'
import { networkTexts } from '@flashsheet/contracts/posts/rules'
import {
  NetworkError,
  pollGapMs,
  type ConfirmResult,
  type ListedPost,
  type NetworkContext,
  type PublishJob,
  type PublishSteps,
} from '../adapter.ts'
import { networkError, record, recordsOf, textOf, textsOf, retryLater } from '../refusal.ts'
import { linkedinCalls } from './calls.ts'
import { isProcessing } from './errors.ts'
import { linkedinEvidence } from './evidence.ts'
import { fromLittleText, toLittleText } from './little-text.ts'
import { isAvailable, uploadImages, uploadVideo } from './uploads.ts'

/** Enough for a busy page, whose posts must not hide the one that is searched. */
const listPage = 100
const maxListPages = 40

/**
 * Publishing to an organization's page: media are uploaded under their own URNs, the only irreversible call is `POST
 * /rest/posts`, and the post can be found by its media.
 */
export function linkedinPublish(context: NetworkContext<'linkedin'>): PublishSteps {
  const calls = linkedinCalls(context)
  const { call, owner } = calls

  return {
    shortestPollGapMs: pollGapMs(5_000, context.config),
    longestPollGapMs: 10_000,
    evidenceOf: (checkpoint) => linkedinEvidence[textOf(checkpoint['video']) ? 1 : 0],

    async prepare(job) {
      const [first] = await job.media()
      if (!first) throw new NetworkError('permanent', 'no_media', 'LinkedIn needs a picture or a video.')
      if (first.kind === 'video') {
        const urn = await uploadVideo(calls, job, first)
        return (await isAvailable(calls, job, 'videos', urn, first.bytes)) ? { state: 'ready' } : { state: 'working' }
      }
      await uploadImages(calls, job)
      for (const urn of imagesOf(job)) {
        if (!(await isAvailable(calls, job, 'images', urn, 0))) return { state: 'working' }
      }
      return { state: 'ready' }
    },

    async publish(job) {
      const sent = call(job, '/posts', {
        method: 'POST',
        json: {
          author: owner(job),
          commentary: toLittleText(textOfPost(job)),
          visibility: 'PUBLIC',
          distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
          content: contentOf(job),
          lifecycleState: 'PUBLISHED',
          isReshareDisabledByAuthor: false,
        },
        irreversible: job.assertLease,
      })
      const answer = await sent.catch(async (error: unknown) => {
        const duplicate = duplicateOf(error)
        if (duplicate) await job.save({ twin: duplicate })
        throw isProcessing(error) ? networkError('linkedin', error.code, { class: 'retry' }, error) : error
      })
      if (answer.status !== 201) throw networkError('linkedin', `http_${answer.status}`, { class: 'unknown' })
      return { state: 'accepted', remoteId: plainUrn(answer.headers.get('x-restli-id')), waitMs: 0 }
    },

    async confirm(job): Promise<ConfirmResult> {
      const urn = job.remoteId ?? (await findNamedDuplicate(job)) ?? (await findPost(job))
      return urn ? await stateOf(job, urn) : { state: 'absent', evidence: 'inconclusive', mayRepeat: true }
    },

    async *listPosts(job): AsyncGenerator<ListedPost> {
      for await (const post of postsSince(job)) {
        const [id, at] = [textOf(post['id']), Number(post['publishedAt'] ?? post['createdAt'])]
        // The list is ordered by last change, so it also has older posts that were edited since.
        if (id && at >= searchStartMs(job))
          yield {
            id,
            otherIds: mediaOf(post).filter(Boolean),
            at: new Date(at),
            text: fromLittleText(textOf(post['commentary'])),
            permalink: permalinkOf(id),
          }
      }
    },

    link: async (_job, remoteId) => await Promise.resolve(permalinkOf(remoteId)),
  }

  /** Posted means 201 and not PUBLISH_FAILED. */
  async function stateOf(job: PublishJob, urn: string): Promise<ConfirmResult> {
    const post = await readPost(job, urn)
    // A new post may not be readable yet, and some members may not read posts. The 201 then counts.
    const state = post ? textOf(post['lifecycleState']) : 'PUBLISHED'
    if (state === 'PUBLISH_FAILED')
      return {
        state: 'failed',
        code: 'PUBLISH_FAILED',
        message: 'LinkedIn could not publish the post.',
        retryable: false,
      }
    if (state === 'PUBLISH_REQUESTED') return { state: 'working' }
    return { state: 'posted', remoteId: urn, permalink: permalinkOf(urn) }
  }

  /** The post that a refused repetition named as its duplicate, if it has our upload: it may be gone, or another's. */
  async function findNamedDuplicate(job: PublishJob): Promise<string | undefined> {
    const urn = textOf(job.checkpoint['twin'])
    if (!urn) return undefined
    return isOurs(job, await readPost(job, urn)) ? urn : undefined
  }

  /** Undefined: the post does not exist, or may not be read. */
  async function readPost(job: PublishJob, urn: string): Promise<Record<string, unknown> | undefined> {
    const { status, body } = await call(job, `/posts/${encodeURIComponent(urn)}`, { method: 'GET', accept: [403, 404] })
    return status === 200 ? body : undefined
  }

  /** Our media URN is unique per upload, so a post with it is ours (docs/networks/linkedin.md). */
  async function findPost(job: PublishJob): Promise<string | undefined> {
    let failed: string | undefined
    for await (const post of postsSince(job)) {
      if (!isOurs(job, post)) continue
      if (textOf(post['lifecycleState']) !== 'PUBLISH_FAILED') return textOf(post['id']) || undefined
      failed ??= textOf(post['id']) || undefined
    }
    return failed
  }

  /** The page's posts changed since the first call, the last first. Throws `retry` when there are more than are read. */
  async function* postsSince(job: PublishJob): AsyncGenerator<Record<string, unknown>> {
    for (let page = 0; page < maxListPages; page++) {
      const path = `/posts?author=${encodeURIComponent(owner(job))}&q=author&start=${page * listPage}&count=${listPage}&sortBy=LAST_MODIFIED`
      const { body } = await call(job, path, { method: 'GET', headers: { 'x-restli-method': 'FINDER' } })
      const posts = recordsOf(body['elements'])
      yield* posts
      if (posts.length < listPage || Number(posts.at(-1)?.['lastModifiedAt']) < searchStartMs(job)) return
    }
    // The post may be among the unread entries.
    throw retryLater('linkedin', 'list_too_long')
  }
}

/** `Content is a duplicate of urn:li:share:…`: the post that LinkedIn considers the same. */
function duplicateOf(error: unknown): string | undefined {
  if (!(error instanceof NetworkError) || error.code !== 'DUPLICATE_POST' || !(error.cause instanceof Error))
    return undefined
  return /urn:li:(?:share|ugcPost):\d+/.exec(error.cause.message)?.[0]
}

function isOurs(job: PublishJob, post: Record<string, unknown> | undefined): boolean {
  const urn = textOf(job.checkpoint['video']) || imagesOf(job)[0]
  return urn !== undefined && mediaOf(post).includes(urn)
}

function mediaOf(post: Record<string, unknown> | undefined): string[] {
  const content = record(post?.['content'])
  const several = recordsOf(record(content?.['multiImage'])?.['images'])
  return [record(content?.['media']), ...several].map((one) => textOf(one?.['id']))
}

function contentOf(job: PublishJob): Record<string, unknown> {
  const video = textOf(job.checkpoint['video'])
  if (video) {
    const { title } = networkTexts('linkedin', job, true)
    return { media: { id: video, ...(title ? { title } : {}) } }
  }
  const images = imagesOf(job)
  return images.length === 1 ? { media: { id: images[0] } } : { multiImage: { images: images.map((id) => ({ id })) } }
}

function imagesOf(job: PublishJob): string[] {
  return textsOf(job.checkpoint['images'])
}

/** LinkedIn's only text: the caption, or a title without one. */
function textOfPost(job: PublishJob): string {
  return networkTexts('linkedin', job, false).text
}

/** Headers may carry a URN percent-encoded. */
function plainUrn(header: string | null): string | null {
  if (!header) return null
  return /^urn%3A/i.test(header) ? decodeURIComponent(header) : header
}

function permalinkOf(urn: string): string {
  return `https://www.linkedin.com/feed/update/${urn}/`
}
