import { collection } from '../../collection.ts'
import type { Delays } from '../../request-faults.ts'
import type { Identity, IdentityPage, PublishedMedia, SandboxContext } from '../../context.ts'

/** One consent of one creator to one app. */
export type Grant = { id: string; clientKey: string; openId: string; scopes: string[]; revoked: boolean }
type Token = { grant: string; expiresAt: number }
type Code = { clientKey: string; redirectUri: string; openId: string; scopes: string[]; expiresAt: number }

/** `coverMs`: absent when the request names no cover. */
export type PostInfo = { title: string; privacyLevel: string; coverMs?: number }

/** One publish_id from init to its end; times are milliseconds since the epoch. */
export type Publish = Delays & {
  id: string
  uploadId: string
  uploadToken: string
  grant: string
  clientKey: string
  openId: string
  post: PostInfo
  size: number
  chunk: number
  chunks: number
  received: number
  /** Bytes stored before the last chunk, which a delayed status still reports. */
  beforeLast?: number
  urlExpiresAt: number
  status: 'PROCESSING_UPLOAD' | 'PUBLISH_COMPLETE' | 'FAILED'
  failReason: string
  /** The reason why processing will fail; '' when it will not. */
  failsWith: string
  /** When the last byte was accepted; the post can no longer be cancelled. */
  acceptedAt: number
  completeAt: number
  /** When a public post gets its id, after moderation. */
  idKnownAt: number
  postId: string
  media: PublishedMedia | null
}

export const accessSeconds = 2 * 3600
export const refreshSeconds = 180 * 86_400
export const knownScopes = [
  'user.info.basic',
  'user.info.profile',
  'user.info.stats',
  'video.list',
  'video.publish',
  'video.upload',
]

/** A made-up person on TikTok. */
export type Creator = ReturnType<typeof makeCreator>

function makeCreator(openId: string, unionId: string, username: string, nickname: string) {
  return {
    openId,
    unionId,
    username,
    nickname,
    /** A private account never offers PUBLIC_TO_EVERYONE (docs/networks/tiktok.md). */
    private: false,
    commentDisabled: false,
    duetDisabled: false,
    stitchDisabled: false,
    maxSeconds: 600,
  }
}

const makeSeeded = (): Creator[] => [
  makeCreator(
    '-000TidewaterInkq7Vd2mXb94aKcLw',
    'b1d0c7a2-5b0e-5c7e-9d53-5f0a61c9e001',
    'tidewater.ink',
    'Tidewater Ink',
  ),
  {
    ...makeCreator(
      '-000MarlowNeedleR3fYtz80hPqJe6s',
      'b1d0c7a2-5b0e-5c7e-9d53-5f0a61c9e002',
      'marlow.needle',
      'Marlow Needleworks',
    ),
    private: true,
    duetDisabled: true,
    stitchDisabled: true,
    maxSeconds: 180,
  },
]

const initial = () => ({
  creators: makeSeeded(),
  codes: collection<Code>(),
  grants: collection<Grant>(),
  /** Client key → its secret, stored at its first token call; signs events. */
  secrets: collection<string>(),
  access: collection<Token>(),
  /** A rotated refresh token remains as `spent`, which distinguishes its reuse from an unknown token. */
  refresh: collection<Token & { spent: boolean }>(),
  publishes: collection<Publish>(),
  /** Logins (`<client key> <creator>`) that requested creator info since their last init. */
  informed: collection<boolean>(),
  /** Times of recent calls by `<call> <login>`, for the limits per minute. */
  calls: collection<number[]>(),
})
export type TikTok = ReturnType<typeof initial>

/** The stored state of TikTok. Read it in every request, since a reset replaces its contents. */
export function tiktokState(sandbox: SandboxContext): TikTok {
  return sandbox.state('tiktok', initial)
}

/** Finds a creator by open_id or username. */
export function creatorBy(state: TikTok, key: string): Creator | undefined {
  return state.creators.find((creator) => creator.openId === key || creator.username === key)
}

/** The privacy levels that this creator offers. */
export function privacyOptions(creator: Creator): string[] {
  return creator.private
    ? ['FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY']
    : ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY']
}

/** An app is unaudited when its client key contains this word. */
export function isUnaudited(clientKey: string): boolean {
  return clientKey.includes('unaudited')
}

/**
 * Revokes a consent: its tokens become invalid, and unfinished uploads fail with auth_removed. Accepted uploads are
 * still published.
 */
export function revokeGrant(sandbox: SandboxContext, id: string): void {
  const state = tiktokState(sandbox)
  const grant = state.grants[id]
  if (!grant || grant.revoked) return
  grant.revoked = true
  for (const publish of Object.values(state.publishes)) {
    if (publish.grant !== id || publish.status !== 'PROCESSING_UPLOAD' || publish.acceptedAt) continue
    publish.status = 'FAILED'
    publish.failReason = 'auth_removed'
  }
}

/** A creator is one page. */
export function pageOf({ openId, nickname }: Creator): IdentityPage {
  return { id: openId, name: nickname }
}

/** The creators, for the consent page and the control API. */
export function identities(sandbox: SandboxContext): Identity[] {
  return tiktokState(sandbox).creators.map((one) => ({ ...pageOf(one), username: one.username, pages: [pageOf(one)] }))
}

/** Makes one more creator. */
export function makeNextCreator(sandbox: SandboxContext): Creator {
  const state = tiktokState(sandbox)
  const number = state.creators.length + 1
  const openId = `-000${sandbox.secret(20).slice(0, 27)}`
  state.creators.push(makeCreator(openId, crypto.randomUUID(), `flash.bench.${number}`, `Flash Bench ${number}`))
  return state.creators.at(-1)!
}
