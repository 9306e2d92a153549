import { splitWords } from '../../split-words.ts'
import type { Context } from 'hono'
import { isRecord, jsonBody } from '../../request-body.ts'
import { listedAsOf } from '../../request-faults.ts'
import { siteOf } from '../../post-link.ts'
import { withoutTracking } from '../../store-track.ts'
import { portraitOf } from '../../feed-files.ts'
import type { SandboxContext } from '../../context.ts'
import { succeed, granted, refuse, unauthorized } from './answers.ts'
import { postLink } from './processing.ts'
import { creatorBy, tiktokState } from './state.ts'

const userFields: Record<string, string> = {
  open_id: 'user.info.basic',
  union_id: 'user.info.basic',
  avatar_url: 'user.info.basic',
  avatar_url_100: 'user.info.basic',
  avatar_large_url: 'user.info.basic',
  display_name: 'user.info.basic',
  bio_description: 'user.info.profile',
  profile_deep_link: 'user.info.profile',
  is_verified: 'user.info.profile',
  username: 'user.info.profile',
}

/** The fields of a request; throws a 400 unless there are some and all are known. */
function requestedFields(c: Context, known: readonly string[]): string[] {
  const fields = (c.req.query('fields') ?? '').split(',').filter(Boolean)
  const unknown = fields.find((field) => !known.includes(field))
  if (fields.length && unknown === undefined) return fields
  throw refuse(400, 'invalid_params', `Invalid fields is requested: ${unknown ?? ''}`)
}

/** `GET /v2/user/info/?fields=` (docs/networks/tiktok.md): only the requested fields, each with its scope. */
export function userInfo(c: Context, sandbox: SandboxContext): Response {
  const grant = granted(c, sandbox, 'user.info.basic')
  const fields = requestedFields(c, Object.keys(userFields))
  const missingScope = fields.map((field) => userFields[field] ?? '').find((scope) => !grant.scopes.includes(scope))
  if (missingScope) throw unauthorized(missingScope)
  const creator = creatorBy(tiktokState(sandbox), grant.openId)
  if (!creator) throw refuse(401, 'access_token_invalid', 'The account of this token is gone.')
  const avatar = portraitOf(sandbox, creator.nickname)
  const all: Record<string, unknown> = {
    open_id: creator.openId,
    union_id: creator.unionId,
    avatar_url: avatar,
    avatar_url_100: avatar,
    avatar_large_url: avatar,
    display_name: creator.nickname,
    bio_description: '',
    profile_deep_link: `${siteOf('tiktok')}/@${creator.username}`,
    is_verified: false,
    username: creator.username,
  }
  return succeed(c, { user: Object.fromEntries(fields.map((field) => [field, all[field]])) })
}

const videoFields = splitWords(
  `id create_time title video_description duration width height share_url cover_image_url embed_link`,
)

/** `POST /v2/video/list/?fields=`: the creator's public videos, newest first, twenty at most. */
export async function videoList(c: Context, sandbox: SandboxContext): Promise<Response> {
  const grant = granted(c, sandbox, 'video.list')
  const fields = requestedFields(c, videoFields)
  const body = (c.req.header('content-length') ?? '0') === '0' ? {} : await jsonBody(c)
  const { max_count: count = 10, cursor = Number.MAX_SAFE_INTEGER } = isRecord(body) ? body : { max_count: 'none' }
  if (typeof count !== 'number' || typeof cursor !== 'number' || !(count >= 1 && count <= 20)) {
    throw refuse(400, 'invalid_params', 'max_count must lie between 1 and 20.')
  }
  const state = tiktokState(sandbox)
  const creator = creatorBy(state, grant.openId)
  const known = Object.values(withoutTracking(state.publishes))
    .filter(
      (one) =>
        one.openId === grant.openId &&
        one.status === 'PUBLISH_COMPLETE' &&
        one.post.privacyLevel === 'PUBLIC_TO_EVERYONE',
    )
    .filter((one) => one.idKnownAt <= listedAsOf(c, one, sandbox.now()) && one.completeAt < cursor)
    .toSorted((a, b) => b.completeAt - a.completeAt)
  const shown = known.slice(0, Math.trunc(count))
  const videos = shown.map((one) => {
    const all: Record<string, unknown> = {
      id: one.postId,
      create_time: Math.floor(one.completeAt / 1000),
      title: one.post.title,
      video_description: one.post.title,
      duration: Math.round((one.media?.durationMs ?? 0) / 1000),
      width: one.media?.width ?? 0,
      height: one.media?.height ?? 0,
      share_url: postLink(creator?.username ?? '', one.postId),
      cover_image_url: '',
      embed_link: postLink(creator?.username ?? '', one.postId),
    }
    return Object.fromEntries(fields.map((field) => [field, all[field]]))
  })
  return succeed(c, { videos, cursor: shown.at(-1)?.completeAt ?? 0, has_more: known.length > shown.length })
}
