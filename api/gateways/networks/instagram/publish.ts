import { networkTexts } from '@flashsheet/contracts/posts/rules'
import {
  NetworkError,
  pollGapMs,
  type ConfirmResult,
  type ListedPost,
  type NetworkContext,
  type PublishJob,
  type PublishMedia,
  type PublishSteps,
} from '../adapter.ts'
import { refuseVideo } from '../video-limits.ts'
import { findOwnPost, type MatchingPost, searchStartMs } from '../ambiguous-posts.ts'
import { isObjectMissing } from '../meta-errors.ts'
import {
  uploadInvalid,
  networkError,
  record,
  recordsOf,
  textOf,
  textsOf,
  retryLater,
  unlessRefused,
} from '../refusal.ts'
import { instagramStatusVerdict } from './errors.ts'
import { instagramEvidence } from './evidence.ts'

/** Media are matched by caption within this time around the publish call. */
const matchWindowMs = 15 * 60_000
const blockMs = 60 * 60_000
/** A container that the publish call does not find may only be delayed, so it is retried at most this many times. */
const maxNotFound = 2
/** How many pages of 50 media are searched. */
const maxListPages = 10

type ContainerState = { code: string; text: string }

/**
 * Publishing to Instagram: containers are invisible and expire after 24 h; `media_publish` is the only irreversible
 * call, and the container's `status_code` says afterwards whether it worked.
 */
export function instagramPublish(context: NetworkContext<'instagram'>): PublishSteps {
  const { config, http, versions } = context
  const base = `${config.hosts.graph}/${versions.metaGraph}`
  const read = async (
    job: Pick<PublishJob, 'accessToken' | 'signal'>,
    path: string,
    query: Record<string, string | undefined>,
  ): Promise<Record<string, unknown>> => {
    const { body } = await http.call({
      method: 'GET',
      url: `${base}/${path}`,
      query,
      as: job,
    })
    return body
  }

  const createContainer = async (job: PublishJob, form: Record<string, string>): Promise<string> => {
    const { body } = await http.call({
      method: 'POST',
      url: `${base}/${job.pageId}/media`,
      form,
      // Instagram fetches the file before it answers.
      timeoutMs: 120_000,
      as: job,
    })
    const id = textOf(body['id'])
    if (!id) throw retryLater('instagram', 'no_container')
    return id
  }

  const containerState = async (job: PublishJob, id: string): Promise<ContainerState> => {
    const body = await read(job, id, { fields: 'status_code,status' })
    return { code: textOf(body['status_code']), text: textOf(body['status']) }
  }

  /** Still processing: a video takes minutes, a picture about a second (docs/networks/instagram.md). */
  const workingResult = (job: PublishJob) => ({
    state: 'working' as const,
    waitMs: job.checkpoint['isVideo'] === true ? pollGapMs(15_000, config) : 0,
  })

  /** Whether a container is ready; undefined while Instagram processes it. Throws when it can never be published. */
  const readiness = async (job: PublishJob, id: string): Promise<'FINISHED' | 'PUBLISHED' | undefined> => {
    const { code, text } = await containerState(job, id).catch((error: unknown) => {
      // Nothing was published from it yet, so a missing container can be made again.
      throw isObjectMissing(error) ? uploadInvalid('instagram', 'container_gone') : error
    })
    if (code === 'EXPIRED') throw uploadInvalid('instagram', 'container_expired')
    if (code === 'ERROR') {
      throw networkError(
        'instagram',
        `container_error ${/\b2207\d{3}\b/.exec(text)?.[0] ?? ''}`.trim(),
        instagramStatusVerdict(text),
      )
    }
    return code === 'FINISHED' || code === 'PUBLISHED' ? code : undefined
  }

  /** Makes the containers of a carousel's pictures. Each is saved at once: it costs one of the 400 allowed per day. */
  const makeChildren = async (job: PublishJob, images: readonly PublishMedia[]): Promise<string[]> => {
    const children = textsOf(job.checkpoint['children'])
    for (const image of images.slice(children.length)) {
      children.push(await createContainer(job, { is_carousel_item: 'true', image_url: await image.url() }))
      await job.save({ children: [...children] })
      await job.progress(Math.round((children.length / images.length) * 100))
    }
    return children
  }

  /** Makes the container that is published; undefined while Instagram processes the pictures of a carousel. */
  const makeContainer = async (job: PublishJob): Promise<string | undefined> => {
    const media = await job.media()
    const [first] = media
    const caption = captionOf(job)
    if (!first) throw new NetworkError('permanent', 'no_media', 'Instagram needs a picture or a video.')
    if (first.kind === 'video') {
      refuseVideo('instagram', first)
      return await createContainer(job, {
        media_type: 'REELS',
        video_url: await first.url(),
        share_to_feed: 'true',
        caption,
      })
    }
    if (media.length === 1) return await createContainer(job, { image_url: await first.url(), caption })
    const children = await makeChildren(job, media)
    for (const child of children) if (!(await readiness(job, child))) return undefined
    return await createContainer(job, { media_type: 'CAROUSEL', children: children.join(','), caption }).catch(
      (error: unknown) => {
        throw isContainerMissing(error) ? uploadInvalid('instagram', 'child_gone') : error
      },
    )
  }

  return {
    shortestPollGapMs: pollGapMs(1_000, config),
    longestPollGapMs: 30_000,
    // All kinds of post share their waits.
    evidenceOf: () => instagramEvidence[0],

    /** Documented both as 50 and as 100, so the limit is read from the account. */
    async allowance(page) {
      const body = await read(page, `${page.pageId}/content_publishing_limit`, {
        fields: 'quota_usage,config{quota_total,quota_duration}',
      })
      const [answer] = recordsOf(body['data'])
      const used = Number(answer?.['quota_usage'])
      const limit = Number(record(answer?.['config'])?.['quota_total'])
      if (!Number.isInteger(used) || !Number.isInteger(limit)) throw retryLater('instagram', 'no_limit')
      return { limit, used }
    },

    async prepare(job) {
      const blockedUntil = Date.parse(textOf(job.checkpoint['blockedUntil']))
      if (job.now().getTime() < blockedUntil)
        throw networkError('instagram', 'blocked', { class: 'later', retryAt: new Date(blockedUntil) })
      let container = textOf(job.checkpoint['container'])
      if (!container) {
        const made = await makeContainer(job)
        if (made === undefined) return workingResult(job)
        container = made
        const [first] = await job.media()
        await job.save({ container, isVideo: first?.kind === 'video' })
      }
      const state = await readiness(job, container)
      // An earlier publish call whose answer was lost has succeeded, so it must not be repeated.
      if (state === 'PUBLISHED') await job.save({ published: true })
      return state ? { state: 'ready' } : workingResult(job)
    },

    async publish(job) {
      if (job.checkpoint['published'] === true) return { state: 'accepted', remoteId: null, waitMs: 0 }
      try {
        const { body } = await http.call({
          method: 'POST',
          url: `${base}/${job.pageId}/media_publish`,
          form: { creation_id: textOf(job.checkpoint['container']) },
          irreversible: job.assertLease,
          timeoutMs: 60_000,
          as: job,
        })
        const remoteId = textOf(body['id'])
        if (!remoteId) throw networkError('instagram', 'no_id', { class: 'unknown' })
        // The container's status may lag, but an answer with the post's id proves that it was published.
        return { state: 'posted', remoteId, permalink: null }
      } catch (error) {
        throw await publishError(job, error)
      }
    },

    async confirm(job): Promise<ConfirmResult> {
      if (job.remoteId !== null) return { state: 'posted', remoteId: job.remoteId, permalink: null }
      const container = textOf(job.checkpoint['container'])
      // Unknown after a restore of the database, or deleted by Instagram after a day: only the post itself proves anything.
      const state = container === '' ? undefined : await unlessRefused(containerState(job, container), isObjectMissing)
      const code = state?.code
      if (code === 'PUBLISHED') {
        const isNetworkError = (error: unknown) => error instanceof NetworkError
        const remoteId = (await unlessRefused(findMedia(job), isNetworkError)) ?? null
        return { state: 'posted', remoteId, permalink: null }
      }
      if (code === 'EXPIRED' || code === 'ERROR') return { state: 'absent', evidence: 'proof', idsLapsed: true }
      if (code !== 'FINISHED' && code !== undefined) return workingResult(job)
      const remoteId = await findMedia(job)
      if (remoteId !== null) return { state: 'posted', remoteId, permalink: null }
      return { state: 'absent', evidence: 'inconclusive', mayRepeat: code === 'FINISHED' }
    },

    listPosts: postsSince,

    link: async (job, remoteId) => await permalinkOf(job, remoteId),

    /** Searches again for a post whose media id is not known yet. */
    async reconcilePosted(job, remoteId) {
      if (remoteId !== null) return { state: 'settled' }
      const found = await findMedia(job)
      return found === null
        ? { state: 'working' }
        : { state: 'settled', remoteId: found, permalink: await permalinkOf(job, found) }
    },
  }

  /** Converts the error of a publish call, and saves what its retry depends on. */
  async function publishError(job: PublishJob, error: unknown): Promise<unknown> {
    const subcode = subcodeOf(error)
    // Blocked as spam: if confirm does not find the post, the retry waits.
    if (subcode === '2207051') await job.save({ blockedUntil: new Date(job.now().getTime() + blockMs).toISOString() })
    // After an unanswered call a missing container may mean that the call published it.
    if (!isContainerMissing(error)) return error
    if (job.unanswered > 1) return networkError('instagram', error.code, { class: 'retry' }, error)
    const notFound = Number(job.checkpoint['missed'] ?? 0) + 1
    await job.save({ missed: notFound })
    return networkError('instagram', error.code, { class: 'retry', idsLapsed: notFound > maxNotFound }, error)
  }

  async function permalinkOf(job: PublishJob, mediaId: string): Promise<string | null> {
    return textOf((await read(job, mediaId, { fields: 'permalink' }))['permalink']) || null
  }

  /** Posts of the account since the first call, newest first. Throws `retry` when the list is longer than is read. */
  async function* postsSince(job: PublishJob): AsyncGenerator<ListedPost> {
    const since = searchStartMs(job)
    let after: string | undefined
    for (let page = 0; page < maxListPages; page++) {
      const body = await read(job, `${job.pageId}/media`, {
        fields: 'id,caption,timestamp,permalink',
        limit: '50',
        after,
      })
      for (const media of recordsOf(body['data'])) {
        const [id, at] = [textOf(media['id']), new Date(textOf(media['timestamp']))]
        if (at.getTime() < since) return
        if (id)
          yield { id, otherIds: [], at, text: textOf(media['caption']), permalink: textOf(media['permalink']) || null }
      }
      const paging = record(body['paging'])
      after = textOf(record(paging?.['cursors'])?.['after']) || undefined
      if (after === undefined || !textOf(paging?.['next'])) return
    }
    throw retryLater('instagram', 'list_too_long')
  }

  /** A container does not name its media, so the post is identified by its exact caption and its time. */
  async function findMedia(job: PublishJob): Promise<string | null> {
    const lastPublishAt = (job.lastPublishAt ?? job.now()).getTime()
    const matches: MatchingPost[] = []
    for await (const { id, at, text } of postsSince(job)) {
      if (text.trim() === captionOf(job).trim() && at.getTime() <= lastPublishAt + matchWindowMs)
        matches.push({ id, at: at.getTime() })
    }
    const found = await findOwnPost(job, matches, (other) => captionOf(other).trim() === captionOf(job).trim())
    return typeof found !== 'string' && found.isUnambiguous ? found.id : null
  }
}

/** Instagram's only text: the caption, or a title without one. */
function captionOf(words: Pick<PublishJob, 'message' | 'title'>): string {
  return networkTexts('instagram', words, false).text
}

/** The subcode in `24/2207008 (trace)`; '' for anything else. */
function subcodeOf(error: unknown): string {
  return error instanceof NetworkError ? (/^-?\d+\/(\d+)/.exec(error.code)?.[1] ?? '') : ''
}

/** Whether a container was not found, by either of two codes. Lost access shows when the next container is made. */
function isContainerMissing(error: unknown): error is NetworkError {
  return isObjectMissing(error) || subcodeOf(error) === '2207008'
}
