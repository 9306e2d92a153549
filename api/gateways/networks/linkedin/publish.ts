import { NetworkError, pollGap, type ConfirmResult, type NetworkContext, type PublishJob, type PublishSteps } from '../adapter.ts'
import { networkError, record, textOf } from '../refusal.ts'
import { linkedinCalls } from './calls.ts'
import { toLittleText } from './little-text.ts'
import { isAvailable, uploadImages, uploadVideo } from './uploads.ts'

/** A lost create is looked for after this long (platform-apis 6.9). */
const lookAfterMs = 10_000
/** Posts asked for at a time when one is looked for, and how often: a busy page must not hide it. */
const listPage = 100
const mostListPages = 40

/**
 * Posting to an organization's page (platform-apis 6.5–6.9): media are uploaded under URNs of their own, the one
 * irreversible call is `POST /rest/posts`, and its URN can be found again by the media it carries.
 */
export function linkedinPublish(context: NetworkContext<'linkedin'>): PublishSteps {
  const calls = linkedinCalls(context)
  const { http, rest, headers, owner } = calls

  return {
    shortestPollGapMs: pollGap(5_000, context.config),
    longestPollGapMs: 10_000,

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
      const answer = await http.call({
        method: 'POST',
        url: `${rest}/posts`,
        headers: headers(job),
        json: {
          author: owner(job),
          commentary: toLittleText(textOfPost(job)),
          visibility: 'PUBLIC',
          distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
          content: contentOf(job),
          lifecycleState: 'PUBLISHED',
          isReshareDisabledByAuthor: false,
        },
        irreversible: true,
        signal: job.signal,
      })
      return { state: 'accepted', remoteId: plainUrn(answer.headers.get('x-restli-id')), waitMs: 0 }
    },

    async confirm(job): Promise<ConfirmResult> {
      const urn = job.remoteId ?? (await findPost(job))
      if (urn) return await stateOf(job, urn)
      // The list lags: absence counts only after a while.
      const left = (job.lastPublishAt ?? job.now()).getTime() + lookAfterMs - job.now().getTime()
      return left > 0 ? { state: 'working', waitMs: left } : { state: 'absent', idsLapsed: false }
    },

    link: async (_job, remoteId) => await Promise.resolve(permalinkOf(remoteId)),
  }

  /** Posted is 201 and not PUBLISH_FAILED (design 4). */
  async function stateOf(job: PublishJob, urn: string): Promise<ConfirmResult> {
    const answer = await http.call({
      method: 'GET',
      url: `${rest}/posts/${encodeURIComponent(urn)}`,
      headers: headers(job),
      accept: [403, 404],
      signal: job.signal,
    })
    // One just created may not be readable yet, and some members may not read: the 201 stands.
    const state = answer.status === 200 ? textOf(record(answer.body)?.['lifecycleState']) : 'PUBLISHED'
    if (state === 'PUBLISH_FAILED') return { state: 'failed', code: 'PUBLISH_FAILED', message: 'LinkedIn could not publish the post.', retryable: false }
    if (state === 'PUBLISH_REQUESTED') return { state: 'working' }
    return { state: 'posted', remoteId: urn, permalink: permalinkOf(urn) }
  }

  /** Our media URN is unique per upload, so a post that carries it is ours (platform-apis 6.9). Looks back to the first try. */
  async function findPost(job: PublishJob): Promise<string | undefined> {
    const wanted = textOf(job.checkpoint['video']) || imagesOf(job)[0]
    const since = (job.firstPublishAt ?? job.now()).getTime() - 60_000
    for (let page = 0; page < mostListPages; page++) {
      const { body } = await http.call({
        method: 'GET',
        url: `${rest}/posts?author=${encodeURIComponent(owner(job))}&q=author&start=${page * listPage}&count=${listPage}&sortBy=LAST_MODIFIED`,
        headers: { ...headers(job), 'x-restli-method': 'FINDER' },
        signal: job.signal,
      })
      const elements = record(body)?.['elements']
      const posts = (Array.isArray(elements) ? elements : []).map(record)
      const ours = posts.filter((post) => wanted !== undefined && mediaOf(post).includes(wanted))
      const living = ours.find((post) => textOf(post?.['lifecycleState']) !== 'PUBLISH_FAILED')
      if (ours.length > 0) return textOf((living ?? ours[0])?.['id']) || undefined
      if (posts.length < listPage || Number(posts.at(-1)?.['lastModifiedAt']) < since) return undefined
    }
    // What was not looked through is not absent.
    throw networkError('linkedin', 'list_too_long', { class: 'retry' }, false)
  }
}

function mediaOf(post: Record<string, unknown> | undefined): string[] {
  const content = record(post?.['content'])
  const several = record(content?.['multiImage'])?.['images']
  return [textOf(record(content?.['media'])?.['id']), ...(Array.isArray(several) ? several.map((image) => textOf(record(image)?.['id'])) : [])]
}

function contentOf(job: PublishJob): Record<string, unknown> {
  const video = textOf(job.checkpoint['video'])
  if (video) return { media: { id: video, ...(job.title ? { title: job.title } : {}) } }
  const images = imagesOf(job)
  return images.length === 1 ? { media: { id: images[0] } } : { multiImage: { images: images.map((id) => ({ id })) } }
}

function imagesOf(job: PublishJob): string[] {
  const images = job.checkpoint['images']
  return Array.isArray(images) ? images.map(String) : []
}

/** LinkedIn's one text: the caption, or a title that stands alone. */
function textOfPost(job: PublishJob): string {
  return job.message || job.title
}

/** Headers may carry a URN percent-encoded. */
function plainUrn(header: string | null): string | null {
  if (!header) return null
  return /^urn%3A/i.test(header) ? decodeURIComponent(header) : header
}

function permalinkOf(urn: string): string {
  return `https://www.linkedin.com/feed/update/${urn}/`
}
