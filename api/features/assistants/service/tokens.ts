import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { assistantLimits } from '@flashsheet/contracts/assistants/limits'
import { assistantMessages } from '@flashsheet/contracts/assistants/messages'
import type { IssuedTokens } from '@flashsheet/contracts/assistants/schema'
import type { Tx } from '@flashsheet/db/client'
import { newAssistantSecret } from '../../../core/assistant-tokens.ts'
import type { RequestCtx, System } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { AppError } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { queueMail } from '../../../core/mail.ts'
import { ownerScope, type OwnerId } from '../../../core/scope.ts'
import { notifyArtist } from '../../notices/service.ts'
import { assistantConnectedMail, assistantsPath, describeScopes } from '../mails.ts'
import {
  deleteGrant,
  findMailRecipient,
  type GrantRow,
  insertGrant,
  insertTokens,
  lockAndCountGrants,
  lockCode,
  lockToken,
  markReplaced,
  updateCode,
} from '../queries.ts'
import { matchesChallenge, hostOf } from '../rules.ts'
import { assistantView } from '../view.ts'
import { isOwnResource } from './metadata.ts'

const refuse = (code: string, message: string) => new AppError('invalid', message, { code })

/** The fields of a form. */
export type TokenForm = Readonly<Record<string, string>>

/** Exchanges a code or a refresh token for new tokens (RFC 6749). Throws invalid with OAuth's own `code`. */
export async function issueTokens(ctx: RequestCtx, form: TokenForm): Promise<IssuedTokens> {
  const { resource = '', grant_type = '' } = form
  if (resource !== '' && !isOwnResource(ctx, resource)) throw refuse('invalid_target', assistantMessages.resourceWrong)
  // A refusal is returned and thrown after the commit, so that the grant it deletes or the code it uses up stays so.
  const issued = await retryOnDeadlock(ctx.db, async (tx) => {
    if (grant_type === 'authorization_code') return await exchangeCode(ctx, tx, form)
    if (grant_type === 'refresh_token') return await exchangeRefreshToken(ctx, tx, form)
    throw refuse(grant_type ? 'unsupported_grant_type' : 'invalid_request', assistantMessages.grantType)
  })
  if (!issued) throw refuse('invalid_grant', assistantMessages.grantWrong)
  return issued
}

async function exchangeCode(system: System, tx: Tx, form: TokenForm): Promise<IssuedTokens | undefined> {
  const hash = sha256(form['code'] ?? '')
  const code = await lockCode(tx, hash)
  if (!code) return undefined
  const owner = ownerScope(code.userId)
  const now = system.now()
  if (code.usedAt) {
    // A second use means that the code was copied, so the access that the first use gave ends too.
    if (code.grantId !== null) await deleteGrant(tx, owner, code.grantId)
    return undefined
  }
  await updateCode(tx, owner, hash, { usedAt: now })
  const isValid =
    code.expiresAt > now &&
    code.clientId === form['client_id'] &&
    code.redirectUri === form['redirect_uri'] &&
    matchesChallenge(form['code_verifier'] ?? '', code.challenge)
  if (!isValid) return undefined
  // Other consents may have been given before this one led to a grant.
  if ((await lockAndCountGrants(tx, owner)) >= assistantLimits.grantsPerArtist)
    throw refuse('invalid_grant', assistantMessages.full)
  const { clientId, clientName: name, scopes } = code
  const host = hostOf(code.redirectUri)
  const grant: GrantRow = { id: newId(), name, host, scopes, createdAt: now, lastUsedAt: null }
  await insertGrant(tx, owner, { ...grant, clientId })
  await updateCode(tx, owner, hash, { grantId: grant.id })
  await notifyConnected(system, tx, owner, grant)
  return await createTokens(tx, { grantId: grant.id, scopes }, now)
}

async function notifyConnected(system: System, tx: Tx, owner: OwnerId, grant: GrantRow): Promise<void> {
  const assistant = assistantView(grant)
  await notifyArtist(system, tx, owner, {
    kind: 'assistant_connected',
    dedupeKey: `assistant ${grant.id}`,
    title: assistantMessages.connectedTitle,
    text: assistantMessages.connectedText(assistant.name, assistant.host, describeScopes(assistant.scopes)),
    link: assistantsPath,
    action: assistantMessages.connectedAction,
  })
  const to = await findMailRecipient(tx, owner)
  if (!to) return
  const text = assistantConnectedMail(to.name, assistant, system.config.publicUrl)
  await queueMail(system, tx, { to: to.email, owner }, text)
}

async function exchangeRefreshToken(system: System, tx: Tx, form: TokenForm): Promise<IssuedTokens | undefined> {
  const hash = sha256(form['refresh_token'] ?? '')
  const token = await lockToken(tx, hash)
  if (!token || token.kind !== 'refresh') return undefined
  const now = system.now()
  // Soon after its first use it is accepted again: the answer may have been lost, or two processes refreshed at once.
  const isReused =
    token.replacedAt !== null && now.getTime() - token.replacedAt.getTime() > assistantLimits.refreshAgainSeconds * 1000
  if (isReused) {
    await deleteGrant(tx, ownerScope(token.userId), token.grantId)
    return undefined
  }
  if (token.expiresAt <= now || token.clientId !== form['client_id']) return undefined
  if (token.replacedAt === null) await markReplaced(tx, hash, now)
  return await createTokens(tx, token, now)
}

async function createTokens(
  tx: Tx,
  { grantId, scopes }: { grantId: string; scopes: readonly string[] },
  now: Date,
): Promise<IssuedTokens> {
  const [access, refresh] = [newAssistantSecret('access'), newAssistantSecret('refresh')]
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  await insertTokens(tx, [
    { hash: access.hash, grantId, kind: 'access', expiresAt: after(assistantLimits.accessSeconds) },
    { hash: refresh.hash, grantId, kind: 'refresh', expiresAt: after(assistantLimits.refreshDays * 86_400) },
  ])
  return {
    access_token: access.secret,
    token_type: 'Bearer',
    expires_in: assistantLimits.accessSeconds,
    refresh_token: refresh.secret,
    scope: scopes.join(' '),
  }
}

/** Ends the assistant's access that a token belongs to (RFC 7009). Does nothing for an unknown token. */
export async function revokeToken(ctx: RequestCtx, form: TokenForm): Promise<void> {
  await retryOnDeadlock(ctx.db, async (tx) => {
    const token = await lockToken(tx, sha256(form['token'] ?? ''))
    if (token && token.clientId === form['client_id']) await deleteGrant(tx, ownerScope(token.userId), token.grantId)
  })
}
