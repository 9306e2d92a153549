import { searchStartMs } from '../ambiguous-posts.ts'
import { networkTexts } from '@flashsheet/contracts/posts/rules'
import { NetworkError, type NetworkContext, type PublishJob, type PublishMedia } from '../adapter.ts'
import { countedBytes } from '../counted-bytes.ts'
import { isObjectMissing } from '../meta-errors.ts'
import { networkError, record, recordsOf, textOf, retryLater } from '../refusal.ts'

/** The page's own token, which every call for it uses. Throws `reconnect` without one. */
function pageToken(job: PublishJob): string {
  if (!job.pageAccessToken)
    throw new NetworkError(
      'reconnect',
      'no_page_token',
      'Facebook gave no access to this page. Please connect the account again.',
    )
  return job.pageAccessToken
}

export type Graph = ReturnType<typeof graphCalls>

/** The Graph calls of publishing, with their base addresses and tokens. */
export function graphCalls(context: NetworkContext<'facebook'>) {
  const { config, http, versions } = context
  const graph = `${config.hosts.graph}/${versions.metaGraph}`
  const asPage = (job: PublishJob) => ({ accessToken: pageToken(job), signal: job.signal })
  /** The only authorization that uploads accept (docs/networks/facebook.md). */
  const oauth = (job: PublishJob) => ({ authorization: `OAuth ${pageToken(job)}` })
  return {
    http,
    graph,
    appId: config.clientId,
    asPage,
    async read(job: PublishJob, path: string, query: Record<string, string>): Promise<Record<string, unknown>> {
      const url = path.startsWith('http') ? path : `${graph}/${path}`
      const { body } = await http.call({
        method: 'GET',
        url,
        query,
        as: asPage(job),
      })
      return body
    },
    /** Sends a file's bytes from `offset` on; at its end none, since only the last answer is missing. */
    async upload(job: PublishJob, url: string, video: PublishMedia, offset: number, headers: Record<string, string>) {
      const { body } = await http.call({
        method: 'POST',
        url,
        headers: { ...oauth(job), 'content-type': 'application/octet-stream', ...headers },
        ...(offset < video.bytes && { stream: countedBytes(job, video, offset) }),
        signal: job.signal,
      })
      return body
    },
    /** How many bytes an upload session has stored. */
    async offset(job: PublishJob, session: string): Promise<number> {
      const { body } = await http.call({
        method: 'GET',
        url: `${graph}/${session}`,
        headers: oauth(job),
        signal: job.signal,
      })
      return Number(body['file_offset'] ?? 0)
    },
    async write(
      job: PublishJob,
      url: string,
      json: Record<string, unknown>,
      irreversible?: () => Promise<void>,
    ): Promise<Record<string, unknown>> {
      const sent = http.call({
        method: 'POST',
        url,
        json,
        as: asPage(job),
        ...(irreversible ? { irreversible, timeoutMs: 45_000 } : {}),
      })
      const { body } = await sent.catch((error: unknown) => {
        throw irreversible ? missingUploadError(job, error) : error
      })
      return body
    },
  }
}

/** An id that Facebook's answer must contain. Throws `retry`, or `unknown` after the irreversible call. */
export function answeredId(value: unknown, irreversible = false): string {
  const id = textOf(value)
  if (!id) throw networkError('facebook', 'no_id', { class: irreversible ? 'unknown' : 'retry' })
  return id
}

/**
 * Converts the "object missing" of a refused irreversible call: our upload is missing, not the access to the page, which
 * was checked when the upload began. The upload starts again, unless an earlier unanswered call may have consumed it.
 */
function missingUploadError(job: PublishJob, error: unknown): unknown {
  if (!isObjectMissing(error)) return error
  return new NetworkError('retry', error.code, error.message, { idsLapsed: job.unanswered <= 1, cause: error })
}

/** Throws `unknown` unless Facebook's answer to the irreversible call says that it succeeded. */
export function assertSucceeded(body: Record<string, unknown>): void {
  if (body['success'] !== true) throw networkError('facebook', 'no_success', { class: 'unknown' })
}

/** The only text of a post without a title field: the caption, or a title without one. */
export function messageOf(words: Pick<PublishJob, 'message' | 'title'>): string {
  return networkTexts('facebook', words, false).text
}

/** `permalink_url` is a path for videos and absolute for posts. */
export function address(permalink: unknown): string | null {
  const text = textOf(permalink)
  if (!text) return null
  return text.startsWith('/') ? `https://www.facebook.com${text}` : text
}

/** The page size of lists, and the maximum of pages read. */
const listPage = 100
const maxListPages = 40

/** The page's posts since the first publish call, newest first. Throws `retry` when there are more than are read. */
export async function* postsSince(
  graph: Graph,
  job: PublishJob,
  fields: string,
): AsyncGenerator<Record<string, unknown>> {
  const since = Math.floor(searchStartMs(job) / 1000)
  let next: string | undefined = `${job.pageId}/published_posts`
  for (let page = 0; next; page++) {
    if (page === maxListPages) throw retryLater('facebook', 'list_too_long')
    const body: Record<string, unknown> = await graph.read(
      job,
      next,
      page === 0 ? { fields, since: String(since), limit: String(listPage) } : {},
    )
    yield* recordsOf(body['data'])
    next = textOf(record(body['paging'])?.['next']) || undefined
  }
}
