import { portraitOf } from '../../feed-files.ts'
import { type Context, Hono } from 'hono'
import { faulted, scriptedFailure, applyDelays, statusAsOf } from '../../request-faults.ts'
import { isRecord, jsonBody } from '../../request-body.ts'
import { withoutTracking } from '../../store-track.ts'
import type { SandboxContext } from '../../context.ts'
import { succeed, granted, loginOf, refuse, withAndWithoutSlash, throttle } from './answers.ts'
import {
  type Creator,
  type Grant,
  type PostInfo,
  type Publish,
  creatorBy,
  isUnaudited,
  privacyOptions,
  tiktokState,
} from './state.ts'

const minChunkBytes = 5 * 1024 * 1024
const maxChunkBytes = 64_000_000
const maxLastChunkBytes = 128_000_000
const maxVideoBytes = 4 * 1024 * 1024 * 1024
const day = 86_400_000
const postsPerDay = 15
const creatorsPerDay = 5

const invalidParam = (message: string) => refuse(400, 'invalid_params', message)

function acceptedToday(sandbox: SandboxContext) {
  const since = sandbox.now() - day
  return Object.values(withoutTracking(tiktokState(sandbox).publishes)).filter(
    (one) => one.acceptedAt > since && one.status !== 'FAILED',
  )
}

/** Why this creator may not post now, for the answers of creator info and init (docs/networks/tiktok.md). */
function postingRefusal(sandbox: SandboxContext, grant: Grant): { code: string; message: string } | undefined {
  if (!sandbox.settings.quotas) return undefined
  const today = acceptedToday(sandbox)
  if (today.filter((one) => one.openId === grant.openId).length >= postsPerDay) {
    const message = 'The daily post cap from the API is reached for the current creator.'
    return { code: 'spam_risk_too_many_posts', message }
  }
  if (!isUnaudited(grant.clientKey)) return undefined
  const users = new Set(today.filter((one) => one.clientKey === grant.clientKey).map((one) => one.openId))
  if (!users.has(grant.openId) && users.size >= creatorsPerDay) {
    const message = 'The daily quota for active publishing users from your client is reached.'
    return { code: 'reached_active_user_cap', message }
  }
  return undefined
}

/** The content of a post. Throws the refusal of what TikTok does not accept. */
function readPost(info: unknown, creator: Creator, grant: Grant): PostInfo {
  if (!isRecord(info)) throw invalidParam('post_info is required.')
  const { title = '', privacy_level: privacy } = info
  if (typeof title !== 'string' || title.length > 2200)
    throw invalidParam('title must be a text of at most 2200 UTF-16 units.')
  const switches = [
    'disable_comment',
    'disable_duet',
    'disable_stitch',
    'brand_content_toggle',
    'brand_organic_toggle',
    'is_aigc',
  ]
  for (const name of switches) {
    if (info[name] !== undefined && typeof info[name] !== 'boolean')
      throw invalidParam(`${name} must be true or false.`)
  }
  const cover = info['video_cover_timestamp_ms']
  if (cover !== undefined && (typeof cover !== 'number' || !Number.isInteger(cover) || cover < 0)) {
    throw invalidParam('video_cover_timestamp_ms must be a whole number of milliseconds.')
  }
  if (typeof privacy !== 'string') throw invalidParam('privacy_level is required.')
  if (!privacyOptions(creator).includes(privacy)) {
    const message = `The privacy level ${privacy} is not one of the creator's options.`
    throw refuse(403, 'privacy_level_option_mismatch', message)
  }
  if (info['brand_content_toggle'] === true && privacy === 'SELF_ONLY') {
    throw invalidParam('Branded content visibility cannot be set to private.')
  }
  // An unaudited app may post only to private accounts, visible to the creator only.
  if (isUnaudited(grant.clientKey) && (!creator.private || privacy !== 'SELF_ONLY')) {
    const message = 'Unaudited clients can only post to private accounts, for the creator alone.'
    throw refuse(403, 'unaudited_client_can_only_post_to_private_accounts', message)
  }
  return { title, privacyLevel: privacy, ...(cover === undefined ? {} : { coverMs: cover }) }
}

/** TikTok's chunk rules. Where "MB" can mean two sizes, both limits apply. */
function readSource(info: unknown) {
  if (!isRecord(info)) throw invalidParam('source_info is required.')
  if (info['source'] === 'PULL_FROM_URL') {
    throw refuse(403, 'url_ownership_unverified', 'The ownership of the URL is not verified for this client.')
  }
  if (info['source'] !== 'FILE_UPLOAD') throw invalidParam('source must be FILE_UPLOAD or PULL_FROM_URL.')
  const whole = (name: string) => {
    const value = info[name]
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
  }
  const [size, chunk, chunks] = [whole('video_size'), whole('chunk_size'), whole('total_chunk_count')]
  if (!size || !chunk || !chunks)
    throw invalidParam('video_size, chunk_size and total_chunk_count must be whole and above zero.')
  if (size > maxVideoBytes) throw invalidParam('The video is larger than 4 GB.')
  if (size < minChunkBytes && chunk !== size)
    throw invalidParam('A video below 5 MB must be sent as one chunk of its whole size.')
  if (size >= minChunkBytes && chunk < minChunkBytes) throw invalidParam('chunk_size must be at least 5 MB.')
  if (chunk > maxChunkBytes) throw invalidParam('chunk_size must be at most 64 MB.')
  if (chunk > size || chunks !== Math.floor(size / chunk)) throw invalidParam('The total chunk count is invalid.')
  if (chunks > 1000) throw invalidParam('There must be at most 1000 chunks.')
  if (size > maxChunkBytes && chunks === 1) throw invalidParam('A video above 64 MB must be sent in several chunks.')
  if (size - (chunks - 1) * chunk > maxLastChunkBytes) throw invalidParam('The last chunk must be at most 128 MB.')
  return { size, chunk, chunks }
}

async function init(c: Context, sandbox: SandboxContext): Promise<Response> {
  const grant = granted(c, sandbox, 'video.publish')
  throttle(sandbox, grant, 'init', 6)
  const state = tiktokState(sandbox)
  const creator = creatorBy(state, grant.openId)
  const body = await jsonBody(c)
  if (!body || !creator) throw invalidParam('The request body is not valid JSON.')
  const post = readPost(body['post_info'], creator, grant)
  const source = readSource(body['source_info'])
  const refusal = postingRefusal(sandbox, grant)
  if (refusal) throw refuse(403, refusal.code, refusal.message)
  // TikTok requires a fresh creator info request before each post.
  if (state.informed[loginOf(grant)] !== true) {
    const message = 'Query the creator info right before each post: it was not asked for since the last init.'
    throw refuse(403, 'privacy_level_option_mismatch', message)
  }
  state.informed[loginOf(grant)] = false
  const id = `v_pub_file~v2-1.7${sandbox.digits(18)}`
  const [uploadId, uploadToken] = [`7${sandbox.digits(18)}`, sandbox.secret(16)]
  state.publishes[id] = {
    id,
    uploadId,
    uploadToken,
    grant: grant.id,
    clientKey: grant.clientKey,
    openId: grant.openId,
    post,
    ...source,
    received: 0,
    urlExpiresAt: faulted(c, 'lose-session') ? sandbox.now() : sandbox.now() + 3_600_000,
    status: 'PROCESSING_UPLOAD',
    failReason: '',
    failsWith: scriptedFailReason(c),
    acceptedAt: 0,
    completeAt: 0,
    idKnownAt: 0,
    postId: '',
    media: null,
  }
  applyDelays(c, state.publishes[id])
  const address = `${sandbox.url}/open-upload.tiktokapis.com/video/?upload_id=${uploadId}&upload_token=${uploadToken}`
  return succeed(c, { publish_id: id, upload_url: address })
}

/** The fail_reason that a fault scripts; by default one that no retry fixes. */
export function scriptedFailReason(c: Context): string {
  return scriptedFailure(c, 'fail_reason', 'file_format_check_failed')
}

async function publishOf(c: Context, sandbox: SandboxContext, grant: Grant): Promise<Publish> {
  const body = await jsonBody(c)
  const id = body?.['publish_id']
  const publish = typeof id === 'string' ? tiktokState(sandbox).publishes[id] : undefined
  // The id exists only for consents of the same creator for the same app.
  if (!publish || publish.openId !== grant.openId || publish.clientKey !== grant.clientKey) {
    throw refuse(400, 'invalid_publish_id', 'The publish_id does not exist.')
  }
  return publish
}

async function status(c: Context, sandbox: SandboxContext): Promise<Response> {
  const grant = granted(c, sandbox, 'video.publish')
  const publish = await publishOf(c, sandbox, grant)
  throttle(sandbox, grant, 'status', 30)
  const failure = scriptedFailReason(c)
  if (failure && publish.status === 'PROCESSING_UPLOAD') {
    publish.status = 'FAILED'
    publish.failReason = failure
    publish.completeAt = sandbox.now()
  }
  const asOf = statusAsOf(c, publish, sandbox.now())
  const shown = publish.completeAt > asOf ? 'PROCESSING_UPLOAD' : publish.status
  const isPublic = publish.post.privacyLevel === 'PUBLIC_TO_EVERYONE'
  const isIdKnown = shown === 'PUBLISH_COMPLETE' && isPublic && publish.idKnownAt <= asOf
  return succeed(c, {
    status: shown,
    ...(shown === 'FAILED' && publish.failReason ? { fail_reason: publish.failReason } : {}),
    ...(isIdKnown ? { publicaly_available_post_id: [`int64:${publish.postId}`] } : {}),
    uploaded_bytes: publish.acceptedAt > asOf ? (publish.beforeLast ?? 0) : publish.received,
    downloaded_bytes: 0,
  })
}

async function cancel(c: Context, sandbox: SandboxContext): Promise<Response> {
  const grant = granted(c, sandbox, 'video.publish')
  const publish = await publishOf(c, sandbox, grant)
  if (publish.status !== 'PROCESSING_UPLOAD' || publish.acceptedAt) {
    throw invalidParam('The post can no longer be cancelled.')
  }
  publish.status = 'FAILED'
  publish.failReason = 'publish_cancelled'
  publish.urlExpiresAt = sandbox.now()
  return succeed(c, {})
}

function creatorInfo(c: Context, sandbox: SandboxContext): Response {
  const grant = granted(c, sandbox, 'video.publish')
  throttle(sandbox, grant, 'creator_info', 20)
  const state = tiktokState(sandbox)
  const creator = creatorBy(state, grant.openId)
  if (!creator) throw refuse(401, 'access_token_invalid', 'The account of this token is gone.')
  state.informed[loginOf(grant)] = true
  // TikTok answers these refusals with HTTP 200.
  const refusal = postingRefusal(sandbox, grant)
  if (refusal) return succeed(c, {}, refusal.code, refusal.message)
  return succeed(c, {
    creator_avatar_url: portraitOf(sandbox, creator.nickname),
    creator_username: creator.username,
    creator_nickname: creator.nickname,
    privacy_level_options: privacyOptions(creator),
    comment_disabled: creator.commentDisabled,
    duet_disabled: creator.duetDisabled,
    stitch_disabled: creator.stitchDisabled,
    max_video_post_duration_sec: creator.maxSeconds,
  })
}

/** The Content Posting API below `/v2/post/publish`. */
export function publishRoutes(sandbox: SandboxContext): Hono {
  const routes = new Hono()
  routes.on('POST', withAndWithoutSlash('/creator_info/query'), (c) => creatorInfo(c, sandbox))
  routes.on('POST', withAndWithoutSlash('/video/init'), (c) => init(c, sandbox))
  routes.on('POST', withAndWithoutSlash('/status/fetch'), (c) => status(c, sandbox))
  routes.on('POST', withAndWithoutSlash('/cancel'), (c) => cancel(c, sandbox))
  return routes
}
