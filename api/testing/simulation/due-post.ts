import type { Platform } from '@flashsheet/contracts/networks'
import type { DbClient } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import { mediaItems } from '@flashsheet/db/schema/media'
import { postMedia, posts, postTargets } from '@flashsheet/db/schema/posts'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import type { System } from '../../core/context.ts'
import { newId } from '../../core/ids.ts'
import { sealPageToken, sealToken, type Login } from '../../features/social/service/token-encryption.ts'

const hour = 3_600_000

/** A post of the simulation, as `Lane` knows it. */
export type DuePost = {
  ids: Record<'user' | 'account' | 'media' | 'post' | 'target', string>
  kind: string
  platform: Platform
  pageId: string
  bytes: number
  now: number
  login: Login
  accessToken: string
  refreshToken: string
  accessExpiresAt: Date | null
}

/** Inserts an artist, an account and a post for one page, due now and planned an hour ago. */
export async function insertDuePost(
  admin: DbClient,
  keys: System['config'],
  { ids, kind, platform, pageId, bytes, now, login, accessToken, refreshToken, accessExpiresAt }: DuePost,
): Promise<void> {
  const { user: userId, account, media, post, target } = ids
  const at = new Date(now)
  const planned = new Date(now - hour)
  const isVideo = !/photo|image/.test(kind)
  const isUpright = kind !== 'facebook video'
  const [width, height] = isUpright ? [1080, 1920] : [1920, 1080]
  await admin.db.insert(users).values({
    id: userId,
    name: 'Ink',
    email: `${userId}@ink.example`,
    timeZone: 'UTC',
    createdAt: at,
    updatedAt: at,
  })
  await admin.db.insert(subscriptions).values({
    id: newId(),
    userId,
    stripeSubscriptionId: `sub_${userId}`,
    stripeCustomerId: `cus_${userId}`,
    plan: 'social-line-work',
    status: 'active',
    createdAt: at,
    updatedAt: at,
  })
  await admin.db.insert(socialAccounts).values({
    id: account,
    userId,
    platform: platform,
    providerUserId: pageId,
    providerName: 'Ink',
    accessToken: sealToken(keys, login, 'access_token', accessToken),
    refreshToken:
      platform === 'instagram' || platform === 'facebook'
        ? null
        : sealToken(keys, login, 'refresh_token', refreshToken),
    accessExpiresAt,
    refreshedAt: at,
    connectedAt: at,
  })
  await admin.db.insert(socialPages).values({
    id: newId(),
    accountId: account,
    pageId: pageId,
    name: 'Ink',
    username: 'ink',
    accessToken: sealPageToken(keys, login, pageId, accessToken),
    connectedAt: at,
  })
  await admin.db.insert(mediaItems).values({
    id: media,
    userId,
    kind: isVideo ? 'video' : 'image',
    mimeType: isVideo ? 'video/mp4' : 'image/jpeg',
    fileName: 'a',
    bytes: bytes,
    width: isVideo ? width : 1080,
    height: isVideo ? height : 1080,
    durationMs: isVideo ? 20_000 : null,
    sha256: media,
    originalKey: `o/${media}`,
    displayKey: isVideo ? null : `d/${media}.jpg`,
    thumbnailKey: `t/${media}`,
    videoFacts: isVideo
      ? { codec: 'avc', audioCodec: 'aac', fps: 30, rotation: 0, moovFirst: true, editList: false }
      : null,
    createdAt: at,
  })
  await admin.db.insert(posts).values({
    id: post,
    userId,
    status: 'scheduled',
    scheduledAt: at,
    timeZone: 'UTC',
    requestId: post,
    requestHash: post,
    createdAt: planned,
    updatedAt: planned,
  })
  await admin.db.insert(postMedia).values({
    postId: post,
    position: 0,
    mediaId: media,
    kind: isVideo ? 'video' : 'image',
    fileName: 'a',
    thumbnailKey: 't',
  })
  await admin.db.insert(postTargets).values({
    id: target,
    postId: post,
    userId,
    platform: platform,
    accountId: account,
    pageId: pageId,
    pageName: 'Ink',
    title: 'Koi',
    message: `Koi ${target}`,
    options: {},
    phase: 'scheduled',
    dueAt: at,
    checkpoint: {},
    createdAt: planned,
    updatedAt: planned,
  })
}
