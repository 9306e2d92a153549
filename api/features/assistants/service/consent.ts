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
import { full, invalid } from '../../../core/errors.ts'
import { containsNul } from '../../../core/text.ts'
import { countGrantsInTurn, insertCode } from '../queries.ts'
import { hostOf, isChallenge, isNamedRedirect, withParams } from '../rules.ts'
import { findClient, type Client } from './clients.ts'
import { isOwnResource } from './metadata.ts'

/**
 * The screen that asks the artist, with what the assistant sent. It is packed letter by letter, since a router reads numbers and lists out
 * of an address, and `state` has to come back as it was. Throws invalid for more than any assistant sends.
 */
export function consentScreen(query: string): string {
  if (query.length > queryMax) throw invalid(assistantMessages.requestWrong)
  return `/connect-assistant?request=${packed}${Buffer.from(query).toString('base64url')}`
}

/** Throws invalid for what was not packed by us, or names a thing twice. */
function unpack({ request }: ConsentInput): ConsentParams {
  const query = Buffer.from(request.slice(packed.length), 'base64url').toString('utf8')
  const entries = [...new URLSearchParams(query)]
  const params = Object.fromEntries(entries)
  const isOurs = request.startsWith(packed) && entries.length === Object.keys(params).length
  if (!isOurs || containsNul(params)) throw invalid(assistantMessages.requestWrong)
  return ConsentParams.parse(params)
}

const queryMax = 8000
/** No number begins so. */
const packed = 'q-'

type Read = { client: Client; scopes: KeyScope[]; refusal?: { error: string; message: string } }

/**
 * What an assistant asks for, to be shown to the artist. Throws invalid where nobody may be led back: for an unknown program, or an
 * address that it has not named letter by letter.
 */
export async function readConsentRequest(ctx: VerifiedCtx, input: ConsentInput): Promise<ConsentRequest> {
  const params = unpack(input)
  const { client, scopes, refusal } = await read(ctx, params)
  const host = hostOf(params.redirect_uri)
  if (refusal) return { refusal: refusal.message, host, backTo: leadBack(ctx, params, refusal) }
  const denied = { error: 'access_denied', message: assistantMessages.denied }
  return { name: client.name, host, scopes, backTo: leadBack(ctx, params, denied) }
}

/** Connects an assistant as the artist was shown: it is led back with a code for tokens. Throws invalid, and full at the twenty-first. */
export async function giveConsent(ctx: VerifiedCtx, input: ConsentInput): Promise<ConsentGiven> {
  const params = unpack(input)
  const { client, scopes, refusal } = await read(ctx, params)
  if (refusal) throw invalid(refusal.message)
  const { secret, hash } = newAssistantSecret('code')
  await ctx.db.transaction(async (tx) => {
    if ((await countGrantsInTurn(tx, ctx.owner)) >= assistantLimits.grantsPerArtist) throw full(assistantMessages.full)
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

async function read(ctx: VerifiedCtx, params: ConsentParams): Promise<Read> {
  const client = await findClient(ctx, params.client_id)
  if (!isNamedRedirect(client.redirectUris, params.redirect_uri))
    throw invalid(assistantMessages.unknownRedirect, { redirect_uri: assistantMessages.unknownRedirect })
  const refuse = (error: string, message: string): Read => ({ client, scopes: [], refusal: { error, message } })
  if (params.response_type !== 'code') return refuse('unsupported_response_type', assistantMessages.responseType)
  if (params.code_challenge_method !== 'S256' || !isChallenge(params.code_challenge))
    return refuse('invalid_request', assistantMessages.challengeRequired)
  if (params.resource !== '' && !isOwnResource(ctx, params.resource))
    return refuse('invalid_target', assistantMessages.resourceWrong)
  const asked = params.scope.split(' ').filter(Boolean)
  const known: readonly string[] = assistantScopes
  if (asked.some((scope) => !known.includes(scope))) return refuse('invalid_scope', assistantMessages.scopeWrong)
  const wanted: readonly string[] = asked.length > 0 ? asked : usualAssistantScopes
  return { client, scopes: keyScopes.filter((scope) => wanted.includes(scope)) }
}

function leadBack(
  system: System,
  params: ConsentParams,
  { error, message }: { error: string; message: string },
): string {
  const { state, redirect_uri } = params
  return withParams(redirect_uri, { error, error_description: message, state, iss: system.config.publicUrl })
}
