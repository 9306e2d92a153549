import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { CreatorInfoInput, TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import type { Platform } from '@flashsheet/contracts/networks'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { consumeRateLimit } from '../../../core/limits.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { NetworkError, type PublishJob } from '../../../gateways/networks/adapter.ts'
import { findAccountAndPage, findPageForPublish } from '../queries/accounts.ts'
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
export type AccountForPublish = { platform: Platform } & Pick<
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
  const connected = await findAccountAndPage(system.db, owner, accountId, pageId)
  const { account, accessToken } = await validTokensOf(system, owner, accountId, connected?.account)
  // `findAccountAndPage` omits accounts being disconnected. A refresh changes no page token.
  const page = connected ? connected.page : await findPageForPublish(system.db, owner, accountId, pageId)
  if (!page) throw new NetworkError('permanent', 'page_gone', socialMessages.pageGone)
  return {
    platform: account.platform,
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
  const account = await requireAccount(ctx, input.socialAccountId)
  const fetchInfo = ctx.gateways.networks[account.platform]?.creatorInfo
  if (!fetchInfo) throw notFound(socialMessages.unknownAccount)
  await consumeRateLimit(ctx, 'creatorInfoPerArtist', ctx.owner)
  try {
    for (let retried = false; ; retried = true) {
      const { accessToken } = await validTokens(ctx, ctx.owner, account.id)
      try {
        return await fetchInfo(accessToken)
      } catch (error) {
        if (!(error instanceof NetworkError) || error.class !== 'reconnect') throw error
        if (!retried && (await refreshRejectedTokens(ctx, ctx.owner, account.id, { accessToken }))) continue
        await markReconnect(ctx, ctx.owner, account.id, { accessToken })
        throw error
      }
    }
  } catch (error) {
    throw error instanceof NetworkError ? refusalOf(ctx, account.platform, error) : error
  }
}
