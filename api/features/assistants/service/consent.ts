import { assistantLimits, assistantScopes, usualAssistantScopes } from '@flashsheet/contracts/assistants/limits'
import { assistantMessages } from '@flashsheet/contracts/assistants/messages'
import {
  ConsentParams,
  type ConsentGiven,
  type ConsentInput,
  type ConsentRequest,
} from '@flashsheet/contracts/assistants/schema'
import { keyScopes, type KeyScope } from '@flashsheet/contracts/keys/limits'
import { newAssistantSecret } from '../../../core/assistant-tokens.ts'
import type { System, VerifiedCtx } from '../../../core/context.ts'
import { full, invalid, invalidField } from '../../../core/errors.ts'
import { containsNul } from '../../../core/text.ts'
import { lockAndCountGrants, insertCode } from '../queries.ts'
import { hostOf, isChallenge, isRegisteredRedirect, withParams } from '../rules.ts'
import { findClient, type Client } from './clients.ts'
import { isOwnResource } from './metadata.ts'

/**
 * The address of the consent screen for an authorization request. The query is encoded as one parameter: the app's
 * router would parse numbers and lists in it, but `state` must be returned unchanged. Throws invalid for a long query.
 */
export function consentScreenUrl(query: string): string {
  if (query.length > maxQueryLength) throw invalid(assistantMessages.requestWrong)
  return `/connect-assistant?request=${requestPrefix}${Buffer.from(query).toString('base64url')}`
}

/** Throws invalid for a request that `consentScreenUrl` did not encode, and for a repeated parameter. */
function decode({ request }: ConsentInput): ConsentParams {
  const query = Buffer.from(request.slice(requestPrefix.length), 'base64url').toString('utf8')
  const entries = [...new URLSearchParams(query)]
  const params = Object.fromEntries(entries)
  const isWellFormed = request.startsWith(requestPrefix) && entries.length === Object.keys(params).length
  if (!isWellFormed || containsNul(params)) throw invalid(assistantMessages.requestWrong)
  return ConsentParams.parse(params)
}

const maxQueryLength = 8000
/** Keeps the router from parsing the encoded text as a number. */
const requestPrefix = 'q-'

type Refusal = { error: string; message: string }
type CheckedRequest = { client: Client; scopes: KeyScope[]; refusal?: Refusal }

/**
 * What an assistant requests, for the consent screen. Throws invalid for an unknown program or an address that it has
 * not registered, since the browser may not be redirected then.
 */
export async function readConsentRequest(ctx: VerifiedCtx, input: ConsentInput): Promise<ConsentRequest> {
  const params = decode(input)
  const { client, scopes, refusal } = await checkRequest(ctx, params)
  const host = hostOf(params.redirect_uri)
  if (refusal) return { refusal: refusal.message, host, backTo: errorRedirect(ctx, params, refusal) }
  const denied = { error: 'access_denied', message: assistantMessages.denied }
  return { name: client.name, host, scopes, backTo: errorRedirect(ctx, params, denied) }
}

/** Gives an assistant the requested access: returns its address with a code for tokens. Throws invalid, full at the 21st. */
export async function giveConsent(ctx: VerifiedCtx, input: ConsentInput): Promise<ConsentGiven> {
  const params = decode(input)
  const { client, scopes, refusal } = await checkRequest(ctx, params)
  if (refusal) throw invalid(refusal.message)
  const { secret, hash } = newAssistantSecret('code')
  await ctx.db.transaction(async (tx) => {
    if ((await lockAndCountGrants(tx, ctx.owner)) >= assistantLimits.grantsPerArtist) throw full(assistantMessages.full)
    await insertCode(tx, ctx.owner, {
      hash,
      clientId: client.id,
      clientName: client.name,
      redirectUri: params.redirect_uri,
      challenge: params.code_challenge,
      scopes,
      expiresAt: new Date(ctx.now().getTime() + assistantLimits.codeSeconds * 1000),
    })
  })
  const { state } = params
  return { backTo: withParams(params.redirect_uri, { code: secret, state, iss: ctx.config.publicUrl }) }
}

async function checkRequest(ctx: VerifiedCtx, params: ConsentParams): Promise<CheckedRequest> {
  const client = await findClient(ctx, params.client_id)
  if (!isRegisteredRedirect(client.redirectUris, params.redirect_uri))
    throw invalidField('redirect_uri', assistantMessages.unknownRedirect)
  const refuse = (error: string, message: string) => ({ client, scopes: [], refusal: { error, message } })
  if (params.response_type !== 'code') return refuse('unsupported_response_type', assistantMessages.responseType)
  if (params.code_challenge_method !== 'S256' || !isChallenge(params.code_challenge))
    return refuse('invalid_request', assistantMessages.challengeRequired)
  if (params.resource !== '' && !isOwnResource(ctx, params.resource))
    return refuse('invalid_target', assistantMessages.resourceWrong)
  const requested = params.scope.split(' ').filter(Boolean)
  const allowed: readonly string[] = assistantScopes
  if (requested.some((scope) => !allowed.includes(scope))) return refuse('invalid_scope', assistantMessages.scopeWrong)
  const granted: readonly string[] = requested.length > 0 ? requested : usualAssistantScopes
  return { client, scopes: keyScopes.filter((scope) => granted.includes(scope)) }
}

function errorRedirect({ config }: System, { redirect_uri, state }: ConsentParams, refusal: Refusal): string {
  const { error, message } = refusal
  return withParams(redirect_uri, { error, error_description: message, state, iss: config.publicUrl })
}
