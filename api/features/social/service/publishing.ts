import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { CreatorInfoInput, TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import type { Platform } from '@flashsheet/contracts/networks'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { countAgainst } from '../../../core/limits.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { NetworkError } from '../../../gateways/networks/adapter.ts'
import { findAccountAndPage, findPageForPublish } from '../queries/accounts.ts'
import { requireAccount } from './accounts.ts'
import { openPageToken } from './token-encryption.ts'
import { freshTokens, currentTokens, markReconnect, refusalOf, tokensAfterRejection } from './tokens.ts'

/** The facts of a page for an adapter's publishing steps; names as in `PublishJob`. */
export type AccountForPublish = {
  platform: Platform
  accessToken: string
  /** Facebook: the page's own token; elsewhere null. */
  pageAccessToken: string | null
  providerUserId: string
  pageId: string
  pageUsername: string | null
}

/**
 * An account and page for publishing, with fresh tokens. Also for an account or page that is being disconnected. Throws
 * NetworkError: `permanent` (`account_gone`, `page_gone`), `reconnect`, or the refresh's own error.
 */
export async function accountForPublish(
  system: System,
  owner: OwnerId,
  accountId: string,
  pageId: string,
): Promise<AccountForPublish> {
  const known = await findAccountAndPage(system.db, owner, accountId, pageId)
  const { account, accessToken } = await currentTokens(system, owner, accountId, known?.account)
  // A refresh changes no page token; for an account being disconnected only the page is read.
  const page = known ? known.page : await findPageForPublish(system.db, owner, accountId, pageId)
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
 * A TikTok creator's options. Throws notFound for another artist's account or another network's, 409 with
 * `reconnectUrl`, upstream.
 */
export async function creatorInfo(ctx: SubscriberCtx, input: CreatorInfoInput): Promise<TiktokCreatorInfo> {
  const account = await requireAccount(ctx, input.socialAccountId)
  const ask = ctx.gateways.networks[account.platform]?.creatorInfo
  if (!ask) throw notFound(socialMessages.unknownAccount)
  await countAgainst(ctx, 'creatorInfoPerArtist', ctx.owner)
  try {
    for (let retried = false; ; retried = true) {
      const { accessToken } = await freshTokens(ctx, ctx.owner, account.id)
      try {
        return await ask(accessToken)
      } catch (error) {
        if (!(error instanceof NetworkError) || error.class !== 'reconnect') throw error
        if (!retried && (await tokensAfterRejection(ctx, ctx.owner, account.id, { accessToken }))) continue
        await markReconnect(ctx, ctx.owner, account.id, { accessToken })
        throw error
      }
    }
  } catch (error) {
    throw error instanceof NetworkError ? refusalOf(ctx, account.platform, error) : error
  }
}
