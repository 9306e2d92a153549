import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { CreatorInfoInput, TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { notFound, upstream } from '../../../core/errors.ts'
import { withInteractiveTimeout } from '../../../core/leases.ts'
import { consumeRateLimit } from '../../../core/limits.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { NetworkError, type PublishJob } from '../../../gateways/networks/adapter.ts'
import { findAccountAndPage } from '../queries/accounts.ts'
import { openPageToken } from './token-encryption.ts'
import {
  validTokens,
  validTokensOf,
  markReconnect,
  refusalOf,
  requireAccount,
  refreshRejectedTokens,
} from './tokens.ts'

/** What an adapter's publishing steps need to know of a page. */
export type AccountForPublish = Pick<
  PublishJob,
  'accessToken' | 'pageAccessToken' | 'providerUserId' | 'pageId' | 'pageUsername'
>

/**
 * An account and page with valid tokens, also while they are being disconnected. Throws NetworkError: `permanent`
 * (`account_gone`, `page_gone`), `reconnect`, or the error of a refresh.
 */
export async function accountForPublish(
  system: System,
  owner: OwnerId,
  accountId: string,
  pageId: string,
): Promise<AccountForPublish> {
  const found = await findAccountAndPage(system.db, owner, accountId, pageId)
  // A refresh changes no page token.
  const { account, accessToken } = await validTokensOf(system, owner, accountId, found?.account)
  const page = found?.page
  if (!page) throw new NetworkError('permanent', 'page_gone', socialMessages.pageGone)
  return {
    accessToken,
    pageAccessToken: openPageToken(system.config, account, page),
    providerUserId: account.providerUserId,
    pageId: page.pageId,
    pageUsername: page.username ?? account.username,
  }
}

/**
 * A TikTok creator's options. Throws notFound for an account of another artist or network, 409 with `reconnectUrl`,
 * tooMany, and upstream.
 */
export async function getCreatorInfo(ctx: SubscriberCtx, input: CreatorInfoInput): Promise<TiktokCreatorInfo> {
  const { id, platform } = await requireAccount(ctx, input.socialAccountId)
  const fetchInfo = ctx.gateways.networks[platform]?.creatorInfo
  if (!fetchInfo) throw notFound(socialMessages.unknownAccount)
  await consumeRateLimit(ctx, 'creatorInfoPerArtist', ctx.owner)
  try {
    const fetching = fetchWithValidTokens(ctx, id, fetchInfo)
    return await withInteractiveTimeout(ctx, fetching, () => upstream(socialMessages.unreachable(platform)))
  } catch (error) {
    throw error instanceof NetworkError ? refusalOf(ctx, platform, error) : error
  }
}

/** Retries once with refreshed tokens. If these are rejected as well, only the artist can restore access. */
async function fetchWithValidTokens<T>(
  ctx: SubscriberCtx,
  accountId: string,
  fetch: (accessToken: string) => Promise<T>,
): Promise<T> {
  for (let retried = false; ; retried = true) {
    const { accessToken } = await validTokens(ctx, ctx.owner, accountId)
    try {
      return await fetch(accessToken)
    } catch (error) {
      if (!(error instanceof NetworkError) || error.class !== 'reconnect') throw error
      if (!retried && (await refreshRejectedTokens(ctx, ctx.owner, accountId, { accessToken }))) continue
      await markReconnect(ctx, ctx.owner, accountId, { accessToken })
      throw error
    }
  }
}
