import type { Platform } from '@flashsheet/contracts/networks'
import type { DbClient } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import { mediaItems } from '@flashsheet/db/schema/media'
import { postMedia, posts, postTargets } from '@flashsheet/db/schema/posts'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import type { System } from '../../core/context.ts'
import { newId } from '../../core/ids.ts'
import type { Login } from '../../features/social/queries/accounts.ts'
import { sealPageToken, sealToken } from '../../features/social/service/token-encryption.ts'

const hour = 3_600_000
const videoFacts = { codec: 'avc', audioCodec: 'aac', fps: 30, rotation: 0, moovFirst: true, editList: false } as const

/** Posts of a run, all due now: one for each of `ids.targets`, each with all of `ids.media`. */
type DuePosts = {
  ids: Record<'user' | 'account', string> & { media: string[]; targets: string[] }
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

/** Inserts an artist, an account and posts for one page, due now and created an hour ago. */
export async function insertDuePosts(
  admin: DbClient,
  keys: System['config'],
  { ids, kind, platform, pageId, bytes, now, login, accessToken, refreshToken, accessExpiresAt }: DuePosts,
): Promise<void> {
  const { user: userId, account, media, targets } = ids
  const at = new Date(now)
  const createdAt = new Date(now - hour)
  const isVideo = !/photo|image|carousel/.test(kind)
  const mediaKind = isVideo ? ('video' as const) : ('image' as const)
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
    platform,
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
    pageId,
    name: 'Ink',
    username: 'ink',
    accessToken: sealPageToken(keys, login, pageId, accessToken),
    connectedAt: at,
  })
  await admin.db.insert(mediaItems).values(
    media.map((item) => ({
      id: item,
      userId,
      kind: mediaKind,
      mimeType: isVideo ? ('video/mp4' as const) : ('image/jpeg' as const),
      fileName: 'a',
      bytes,
      width: isVideo ? width : 1080,
      height: isVideo ? height : 1080,
      durationMs: isVideo ? 20_000 : null,
      sha256: item,
      originalKey: `o/${item}`,
      displayKey: isVideo ? null : `d/${item}.jpg`,
      thumbnailKey: `t/${item}`,
      videoFacts: isVideo ? videoFacts : null,
      createdAt: at,
    })),
  )
  for (const target of targets) {
    await admin.db.insert(posts).values({
      id: target,
      userId,
      status: 'scheduled',
      scheduledAt: at,
      timeZone: 'UTC',
      requestId: target,
      requestHash: target,
      createdAt,
      updatedAt: createdAt,
    })
    await admin.db.insert(postMedia).values(
      media.map((item, position) => ({
        postId: target,
        position,
        mediaId: item,
        kind: mediaKind,
        fileName: 'a',
        thumbnailKey: 't',
      })),
    )
    await admin.db.insert(postTargets).values({
      id: target,
      postId: target,
      userId,
      platform,
      accountId: account,
      pageId,
      pageName: 'Ink',
      title: 'Koi',
      message: `Koi ${target}`,
      options: {},
      phase: 'scheduled',
      dueAt: at,
      checkpoint: {},
      createdAt,
      updatedAt: createdAt,
    })
  }
}
