import { seal, unseal, type Keys } from '../../../core/crypto.ts'
import type { Login, PageRow } from '../queries/accounts.ts'

// The login is bound to each token as additional data, so that a token copied into another row cannot be decrypted.
const account = ({ userId, platform, providerUserId }: Login, column: string) =>
  `social_accounts ${userId} ${platform} ${providerUserId} ${column}`
const page = (login: Login, pageId: string) => `${account(login, 'social_pages')} ${pageId}`

export type TokenColumn = 'access_token' | 'refresh_token'

export const sealToken = (keys: Keys, login: Login, column: TokenColumn, token: string) =>
  seal(keys, account(login, column), token)
export const openToken = (keys: Keys, login: Login, column: TokenColumn, sealed: string) =>
  unseal(keys, account(login, column), sealed)
export const sealPageToken = (keys: Keys, login: Login, pageId: string, token: string) =>
  seal(keys, page(login, pageId), token)

/** A page's own token; null at networks without page tokens. */
export const openPageToken = (
  keys: Keys,
  login: Login,
  { pageId, accessToken }: Pick<PageRow, 'pageId' | 'accessToken'>,
) => (accessToken === null ? null : unseal(keys, page(login, pageId), accessToken))
