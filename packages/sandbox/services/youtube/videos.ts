import { splitWords } from '../../split-words.ts'
import { portraitOf } from '../../feed-files.ts'
import { type Context, Hono } from 'hono'
import { faultOf, listedAsOf, statusAsOf } from '../../request-faults.ts'
import { isRecord } from '../../request-body.ts'
import { siteOf } from '../../post-link.ts'
import type { PublishedMedia, SandboxContext } from '../../context.ts'
import { caller, onlyParts, requestedParts, readScopes, refuse, chargeQuota } from './answers.ts'
import { type Channel, type ProcessingFailure, type Session, type Video, uploadsOf, youtubeState } from './state.ts'

/**
 * The failure that a `processing-fails` fault scripts: the `rejectionReason` or `failureReason` of its body, or a failed
 * conversion.
 */
export function scriptedFailureOf(c: Context): ProcessingFailure | null {
  const fault = faultOf(c)
  if (fault?.kind !== 'processing-fails') return null
  const { rejectionReason, failureReason } = isRecord(fault.body) ? fault.body : {}
  if (typeof rejectionReason === 'string') return { status: 'rejected', reason: rejectionReason }
  return { status: 'failed', reason: typeof failureReason === 'string' ? failureReason : 'conversion' }
}

function failureOf(media: PublishedMedia, channel: Channel | undefined): ProcessingFailure | null {
  if (!media.bytes) return { status: 'failed', reason: 'emptyFile' }
  if (!media.type.startsWith('video/')) return { status: 'failed', reason: 'invalidFile' }
  const tooLong = media.durationMs > 15 * 60_000 && channel?.longUploads !== 'allowed'
  return tooLong ? { status: 'rejected', reason: 'length' } : null
}

/** The irreversible step: the last byte creates the video with its id (docs/networks/youtube.md). */
export async function makeVideo(sandbox: SandboxContext, session: Session): Promise<Video | undefined> {
  const media = await sandbox.parts(`youtube ${session.id}`).finish()
  const state = youtubeState(sandbox)
  const channel = state.channels[session.channel]
  const id = sandbox.secret(12).slice(0, 11)
  const now = sandbox.now()
  const failure = session.failsWith ?? failureOf(media, channel)
  state.videos[id] = {
    id,
    channel: session.channel,
    metadata: { ...session.metadata, tags: [...session.metadata.tags] },
    media,
    uploadedAt: now,
    readyAt: now + sandbox.settings.processingMs,
    failsWith: failure && { ...failure },
    ...(session.lateListMs ? { lateListMs: session.lateListMs } : {}),
    ...(session.lateStatusMs ? { lateStatusMs: session.lateStatusMs } : {}),
  }
  session.videoId = id
  const { title, description, tags, categoryId } = session.metadata
  // The link works at once. A video that is known to fail is never public.
  if (!failure) {
    sandbox.publish({
      platform: 'youtube',
      pageId: session.channel,
      id,
      title,
      text: description,
      media: [media],
      permalink: `${siteOf('youtube')}/watch?v=${id}`,
      at: new Date(now).toISOString(),
      extras: { ...(tags.length > 0 ? { tags: [...tags] } : {}), categoryId },
    })
  }
  return state.videos[id]
}

const endOf = { failed: 'failed', rejected: 'terminated' }

/** A video resource with the requested parts. */
export function resource(
  c: Context,
  sandbox: SandboxContext,
  video: Video,
  parts: readonly string[],
): Record<string, unknown> {
  const { metadata } = video
  const ready = video.readyAt <= statusAsOf(c, video, sandbox.now())
  const failure = ready ? video.failsWith : null
  const thumbnail = { url: portraitOf(sandbox, metadata.title), width: 120, height: 90 }
  const all: Record<string, unknown> = {
    snippet: {
      publishedAt: new Date(video.uploadedAt).toISOString(),
      channelId: video.channel,
      title: metadata.title,
      description: metadata.description,
      thumbnails: { default: thumbnail },
      channelTitle: youtubeState(sandbox).channels[video.channel]?.title ?? '',
      ...(metadata.tags.length ? { tags: metadata.tags } : {}),
      categoryId: metadata.categoryId,
      liveBroadcastContent: 'none',
      localized: { title: metadata.title, description: metadata.description },
    },
    status: {
      uploadStatus: !ready ? 'uploaded' : (failure?.status ?? 'processed'),
      ...(failure?.status === 'failed' ? { failureReason: failure.reason } : {}),
      ...(failure?.status === 'rejected' ? { rejectionReason: failure.reason } : {}),
      privacyStatus: metadata.privacyStatus,
      ...(metadata.publishAt ? { publishAt: metadata.publishAt } : {}),
      license: 'youtube',
      embeddable: true,
      publicStatsViewable: true,
      madeForKids: metadata.madeForKids,
      selfDeclaredMadeForKids: metadata.madeForKids,
    },
    processingDetails: {
      processingStatus: !ready ? 'processing' : failure ? endOf[failure.status] : 'succeeded',
      fileDetailsAvailability: 'available',
      processingIssuesAvailability: ready ? 'available' : 'inProgress',
    },
    contentDetails: {
      duration: `PT${Math.floor(video.media.durationMs / 60_000)}M${Math.floor((video.media.durationMs % 60_000) / 1000)}S`,
      dimension: '2d',
      definition: video.media.height >= 720 ? 'hd' : 'sd',
      projection: 'rectangular',
    },
  }
  return { kind: 'youtube#video', etag: video.id, id: video.id, ...onlyParts(all, parts) }
}

const videoParts =
  splitWords(`contentDetails fileDetails id localizations player processingDetails recordingDetails snippet statistics
  status suggestions topicDetails`)
const ownersOnly = ['fileDetails', 'processingDetails', 'suggestions']

function listVideos(c: Context, sandbox: SandboxContext): Response {
  const who = caller(c, sandbox, readScopes)
  const parts = requestedParts(c, videoParts)
  const ids = (c.req.query('id') ?? '').split(',').filter(Boolean)
  if (!ids.length || ids.length > 50)
    throw refuse(400, 'missingRequiredParameter', 'No filter selected. Expected one of: id', 'youtube.parameter')
  chargeQuota(sandbox, who.clientId, 'units')
  const { videos } = youtubeState(sandbox)
  const found = ids
    .flatMap((id) => videos[id] ?? [])
    .filter((one) => one.channel === who.channel.id || one.metadata.privacyStatus !== 'private')
  if (parts.some((part) => ownersOnly.includes(part)) && found.some((one) => one.channel !== who.channel.id)) {
    throw refuse(
      403,
      'forbidden',
      'The request cannot access user rating information or file details.',
      'youtube.video',
    )
  }
  const failure = scriptedFailureOf(c)
  for (const video of failure ? found : []) {
    if (video.readyAt <= sandbox.now()) continue
    video.failsWith = failure && { ...failure }
    video.readyAt = sandbox.now()
    sandbox.unpublish('youtube', video.id)
  }
  const items = found.map((one) => resource(c, sandbox, one, parts))
  const pageInfo = { totalResults: items.length, resultsPerPage: items.length }
  return c.json({ kind: 'youtube#videoListResponse', etag: sandbox.secret(8), items, pageInfo })
}

function listChannels(c: Context, sandbox: SandboxContext): Response {
  const who = caller(c, sandbox, readScopes)
  const parts = requestedParts(
    c,
    splitWords(`id snippet contentDetails status statistics brandingSettings localizations topicDetails`),
  )
  if (c.req.query('mine') !== 'true') {
    throw refuse(400, 'missingRequiredParameter', 'No filter selected. Expected one of: mine', 'youtube.parameter')
  }
  chargeQuota(sandbox, who.clientId, 'units')
  const { channel } = who
  const picture = { url: portraitOf(sandbox, channel.title), width: 88, height: 88 }
  const all: Record<string, unknown> = {
    snippet: {
      title: channel.title,
      description: '',
      customUrl: channel.handle,
      publishedAt: '2024-03-02T10:00:00Z',
      thumbnails: { default: picture, medium: picture, high: picture },
      localized: { title: channel.title, description: '' },
    },
    contentDetails: { relatedPlaylists: { likes: '', uploads: uploadsOf(channel.id) } },
    status: { privacyStatus: 'public', isLinked: true, longUploadsStatus: channel.longUploads, madeForKids: false },
  }
  return c.json({
    kind: 'youtube#channelListResponse',
    etag: sandbox.secret(8),
    pageInfo: { totalResults: 1, resultsPerPage: 5 },
    items: [{ kind: 'youtube#channel', etag: channel.id, id: channel.id, ...onlyParts(all, parts) }],
  })
}

function listUploads(c: Context, sandbox: SandboxContext): Response {
  const who = caller(c, sandbox, readScopes)
  const parts = requestedParts(c, ['id', 'snippet', 'contentDetails', 'status'])
  const playlist = c.req.query('playlistId')
  if (!playlist)
    throw refuse(
      400,
      'playlistIdRequired',
      'The subscribe request does not specify a value for the required playlistId property.',
    )
  const size = Number(c.req.query('maxResults') ?? 5)
  const from = Number(c.req.query('pageToken') ?? 0)
  if (!(size >= 0 && size <= 50) || !(from >= 0))
    throw refuse(400, 'invalidParameter', 'maxResults must lie between 0 and 50.', 'global')
  chargeQuota(sandbox, who.clientId, 'units')
  const state = youtubeState(sandbox)
  const channel = Object.values(state.channels).find((one) => uploadsOf(one.id) === playlist)
  if (!channel)
    throw refuse(
      404,
      'playlistNotFound',
      "The playlist identified with the request's playlistId parameter cannot be found.",
      'youtube.playlistItem',
    )
  // The playlist lags some minutes behind the upload.
  const listed = Object.values(state.videos)
    .filter((one) => one.channel === channel.id && one.readyAt <= listedAsOf(c, one, sandbox.now()) && !one.failsWith)
    .filter((one) => channel.id === who.channel.id || one.metadata.privacyStatus === 'public')
    .toSorted((a, b) => b.uploadedAt - a.uploadedAt)
  const items = listed.slice(from, from + size).map((video, index) => {
    const publishedAt = new Date(video.uploadedAt).toISOString()
    const all: Record<string, unknown> = {
      snippet: {
        publishedAt,
        channelId: channel.id,
        title: video.metadata.title,
        description: video.metadata.description,
        channelTitle: channel.title,
        playlistId: playlist,
        position: from + index,
        resourceId: { kind: 'youtube#video', videoId: video.id },
      },
      contentDetails: { videoId: video.id, videoPublishedAt: publishedAt },
      status: { privacyStatus: video.metadata.privacyStatus },
    }
    const id = `${playlist}.${video.id}`
    return { kind: 'youtube#playlistItem', etag: video.id, id, ...onlyParts(all, parts) }
  })
  return c.json({
    kind: 'youtube#playlistItemListResponse',
    etag: sandbox.secret(8),
    ...(from + size < listed.length && size > 0 ? { nextPageToken: String(from + size) } : {}),
    items,
    pageInfo: { totalResults: listed.length, resultsPerPage: size },
  })
}

/** The read calls below `www.googleapis.com/youtube/v3`. */
export function readRoutes(sandbox: SandboxContext): Hono {
  const routes = new Hono()
  routes.get('/youtube/v3/channels', (c) => listChannels(c, sandbox))
  routes.get('/youtube/v3/videos', (c) => listVideos(c, sandbox))
  routes.get('/youtube/v3/playlistItems', (c) => listUploads(c, sandbox))
  return routes
}
