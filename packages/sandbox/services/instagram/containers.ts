import { insert } from '../../collection.ts'
import type { Context } from 'hono'
import { applyDelays, faulted } from '../../request-faults.ts'
import { withoutTracking } from '../../store-track.ts'
import type { SandboxContext } from '../../context.ts'
import { scriptedSubcode } from '../meta/faults.ts'
import { fetchMedia } from '../meta/fetch-media.ts'
import { type GraphCall, graphCalls } from '../meta/graph-host.ts'
import { badParameter, GraphError, type Params, usageHeaders } from '../meta/graph.ts'
import { instagramCaller, type InstagramCaller, requirePublishing, ownAccount } from './access.ts'
import { captionRefusal, imageRefusal, videoBytes, videoRefusal } from './checks.ts'
import { refusal } from './refusals.ts'
import { instagram, type InstagramAccount, type InstagramContainer } from './state.ts'

const day = 24 * 3_600_000
const containersPerDay = 400
const altLimit = 1000
const imageFetchBytes = 64 * 1024 * 1024

type ContainerStatus = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED'

/** A container's status at a time, which lies in the past while a delay hides the newest status. */
export function containerStatus(
  sandbox: SandboxContext,
  container: InstagramContainer,
  asOf = sandbox.now(),
): ContainerStatus {
  // A container can only be published once it is FINISHED.
  if (container.mediaId !== '') return (container.publishedAt ?? 0) > asOf ? 'FINISHED' : 'PUBLISHED'
  if (container.expired || container.at + day <= sandbox.now()) return 'EXPIRED'
  if (container.readyAt === 0 || container.readyAt > asOf) return 'IN_PROGRESS'
  return container.failure === 0 ? 'FINISHED' : 'ERROR'
}

/**
 * `POST /{ig}/media` (docs/networks/instagram.md). Images are fetched and checked before the answer, videos after it.
 */
export const instagramContainers = graphCalls(instagramCaller, { 'POST /:id/media': create })

async function create({ c, sandbox, params, id, who }: GraphCall<InstagramCaller>): Promise<Response> {
  const account = ownAccount(who, id, 'post')
  requirePublishing(who)
  needContainerQuota(sandbox, account)
  usageHeaders(c, 'instagram', account.id)
  const mediaType = params.text('media_type')?.toUpperCase()
  const child = params.flag('is_carousel_item') ?? false
  const kind = kindOf(mediaType, child, params)
  const caption = child ? '' : (params.text('caption') ?? '')
  const subcode = captionRefusal(caption)
  if (subcode !== 0) throw refusal(subcode)
  const alt = params.text('alt_text') ?? ''
  if (alt.length > altLimit) throw badParameter('param alt_text must be at most 1000 characters')
  const failure = scriptedSubcode(c, kind === 'IMAGE' || kind === 'CAROUSEL' ? 2207053 : 2207026) ?? 0
  const draft = { accountId: account.id, kind, child, caption, alt, thumbOffset: offsetOf(params), failure }
  const answer = (container: InstagramContainer): Response => {
    applyDelays(c, container)
    return c.json({ id: container.id })
  }
  if (kind === 'CAROUSEL') return answer(carousel(sandbox, account, params, draft))
  if (kind === 'IMAGE') return answer(await image(sandbox, params.text('image_url') ?? '', draft))
  const container = add(sandbox, { ...draft, url: params.text('video_url') ?? '', readyAt: 0 })
  instagram(sandbox).fetching[container.id] = true
  void fetchVideo(sandbox, container.id)
  return answer(container)
}

type Draft = Pick<InstagramContainer, 'accountId' | 'kind' | 'child' | 'caption' | 'alt' | 'thumbOffset' | 'failure'>

function kindOf(mediaType: string | undefined, child: boolean, params: Params): InstagramContainer['kind'] {
  if (params.text('upload_type') !== undefined)
    throw badParameter('upload_type is not available with Instagram Login: give image_url or video_url')
  if (mediaType === 'CAROUSEL') {
    if (child) throw refusal(2207028, 'A carousel cannot hold a carousel.')
    return 'CAROUSEL'
  }
  if (mediaType === 'VIDEO' && !child)
    throw refusal(
      2207023,
      'The VIDEO value for media_type is no longer supported. Use the REELS media type to publish a video to your Instagram feed.',
    )
  if (mediaType === 'VIDEO' || mediaType === 'REELS') {
    if (!params.text('video_url')) throw badParameter('The parameter video_url is required')
    if (mediaType === 'REELS' && child) throw refusal(2207023, 'A reel cannot be part of a carousel.')
    return mediaType
  }
  if (mediaType !== undefined && mediaType !== 'IMAGE') throw refusal(2207023, mediaType)
  if (!params.text('image_url')) throw badParameter('The parameter image_url is required')
  return 'IMAGE'
}

function offsetOf(params: Params): number {
  const text = params.text('thumb_offset')
  if (text === undefined) return 0
  if (!/^\d+$/.test(text)) throw refusal(2207057)
  return Number(text)
}

function needContainerQuota(sandbox: SandboxContext, account: InstagramAccount): void {
  if (!sandbox.settings.quotas) return
  const since = sandbox.now() - day
  const recent = Object.values(withoutTracking(instagram(sandbox).containers)).filter(
    (one) => one.accountId === account.id && one.at > since,
  )
  if (recent.length < containersPerDay) return
  throw new GraphError(80002, {
    message: '(#80002) There have been too many calls to this Instagram account. Wait a bit and try again.',
  })
}

/** Stores a container. Its processing begins now, or with `readyAt` 0 once its bytes have been fetched. */
function add(
  sandbox: SandboxContext,
  container: Draft & Partial<Pick<InstagramContainer, 'url' | 'children' | 'media' | 'readyAt'>>,
): InstagramContainer {
  const at = sandbox.now()
  return insert(instagram(sandbox).containers, {
    id: `17${sandbox.digits(15)}`,
    at,
    url: '',
    children: [],
    media: null,
    readyAt: at + sandbox.settings.processingMs,
    expired: false,
    mediaId: '',
    ...container,
  })
}

async function image(sandbox: SandboxContext, url: string, draft: Draft): Promise<InstagramContainer> {
  const fetched = await fetchMedia(sandbox, url, { redirects: true, limit: imageFetchBytes })
  if (!fetched.ok) throw refusal(2207052, `${url}: ${fetched.why}`)
  const facts = await sandbox.inspect(fetched.media.sha256)
  if (!facts.type.startsWith('image/')) throw refusal(2207052, `${url} is ${facts.type}`)
  const subcode = imageRefusal(facts)
  if (subcode !== 0) throw refusal(subcode)
  return add(sandbox, { ...draft, url, media: fetched.media })
}

function carousel(
  sandbox: SandboxContext,
  account: InstagramAccount,
  params: Params,
  draft: Draft,
): InstagramContainer {
  const ids = (params.list('children') ?? [])
    .flatMap((entry) => String(entry).split(','))
    .map((id) => id.trim())
    .filter(Boolean)
  if (ids.length < 2 || ids.length > 10 || new Set(ids).size !== ids.length) throw refusal(2207028)
  const state = instagram(sandbox)
  const children = ids.map((id) => {
    const child = state.containers[id]
    if (!child || child.accountId !== account.id || !child.child) throw refusal(2207008, `No carousel item ${id}.`)
    return child
  })
  for (const child of children) {
    const status = containerStatus(sandbox, child)
    if (status === 'IN_PROGRESS') throw refusal(2207027)
    if (status === 'EXPIRED') throw refusal(2207020)
    if (status === 'ERROR') throw refusal(2207032, `The carousel item ${child.id} has failed.`)
  }
  return add(sandbox, { ...draft, children: ids })
}

/** Fetches a video after its container was made; a failure becomes the container's status. */
async function fetchVideo(sandbox: SandboxContext, id: string): Promise<void> {
  const created = instagram(sandbox).containers[id]
  if (!created) return
  const fetched = await fetchMedia(sandbox, created.url, { redirects: true, limit: videoBytes + 1024 * 1024 })
  const facts = fetched.ok ? await sandbox.inspect(fetched.media.sha256) : undefined
  // A reset may have happened during the download.
  const state = instagram(sandbox)
  const container = state.containers[id]
  delete state.fetching[id]
  if (container) {
    const failure =
      facts && fetched.ok
        ? videoRefusal(facts, container.child, container.thumbOffset)
        : fetched.ok || !fetched.why.startsWith('larger')
          ? 2207077
          : 2207026
    if (container.failure === 0) container.failure = failure
    if (fetched.ok) container.media = fetched.media
    container.readyAt = sandbox.now() + sandbox.settings.processingMs
  }
  sandbox.changed()
}

/** Restarts the downloads that a stop of the sandbox interrupted. */
export function resumeFetching(sandbox: SandboxContext): void {
  for (const id of Object.keys(instagram(sandbox).fetching)) void fetchVideo(sandbox, id)
}

/** Applies the faults `expire-container` and `processing-fails` to the container of a request. */
export function faultContainer(c: Context, container: InstagramContainer): void {
  if (faulted(c, 'expire-container') && container.mediaId === '') container.expired = true
  const failure = scriptedSubcode(c, container.kind === 'IMAGE' ? 2207053 : 2207026)
  if (failure !== undefined && container.mediaId === '') container.failure = failure
}
