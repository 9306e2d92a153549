import { assistantLimits } from '@flashsheet/contracts/assistants/limits'
import { assistantMessages } from '@flashsheet/contracts/assistants/messages'
import {
  ClientDocument,
  type RegisterClientInput,
  type RegisteredClient,
} from '@flashsheet/contracts/assistants/schema'
import { z } from 'zod'
import { readAtMost } from '../../../core/body.ts'
import type { RequestCtx, System, VerifiedCtx } from '../../../core/context.ts'
import { errorLine } from '../../../core/describe-error.ts'
import { AppError, invalidField } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { consumeRateLimit } from '../../../core/limits.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { AddressRefused } from '../../../gateways/public-address.ts'
import { findRegisteredClient, insertClient } from '../queries.ts'
import { hostOf, isAllowedRedirect } from '../rules.ts'

/** A program that can be connected. */
export type Client = { id: string; name: string; redirectUris: readonly string[] }

const maxDocumentBytes = 20_480
const documentTimeoutMs = 5000

/** Registers a program (RFC 7591). It gets no secret. Throws invalid or tooMany. */
export async function registerClient(ctx: RequestCtx, input: RegisterClientInput): Promise<RegisteredClient> {
  await consumeRateLimit(ctx, 'assistantClientsPerIp', ctx.ip)
  if (!input.redirect_uris.every(isAllowedRedirect))
    throw new AppError('invalid', assistantMessages.redirectWrong, { code: 'invalid_redirect_uri' })
  const now = ctx.now()
  const [first = ''] = input.redirect_uris
  const client = { id: newId(), name: nameOf(input.client_name, first), redirectUris: input.redirect_uris }
  await insertClient(ctx.db, { ...client, createdAt: now })
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(now.getTime() / 1000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}

/**
 * A program by its id: a registered one, or one whose id is the address of its metadata document. Throws invalid, and
 * tooMany for an artist who had too many documents fetched.
 */
export async function findClient(ctx: VerifiedCtx, id: string): Promise<Client> {
  if (z.uuid().safeParse(id).success) {
    const row = await findRegisteredClient(ctx.db, everyoneScope(), id)
    if (row) return row
  } else if (URL.canParse(id)) {
    await consumeRateLimit(ctx, 'assistantPagesPerArtist', ctx.owner)
    return await readDocument(ctx, id)
  }
  throw unknown()
}

const unknown = () => invalidField('client_id', assistantMessages.unknownClient)

/** Fetches a program's metadata document. Not cached, so that changes take effect at once. Throws invalid. */
async function readDocument(system: System, id: string): Promise<Client> {
  try {
    const url = system.gateways.ssrfSafeFetch.check(id)
    // Ids are compared as text, so only the normalized spelling is accepted.
    if (url.href !== id || url.pathname === '/' || id.includes('#')) throw unknown()
    const response = await system.gateways.ssrfSafeFetch.read(id, AbortSignal.timeout(documentTimeoutMs))
    // Redirects are refused: the ability to redirect at a host does not prove control of it.
    const isDocument = response.ok && response.url === id
    const bytes = await readAtMost(response.body ?? [], isDocument ? maxDocumentBytes : 0, unknown)
    const document = ClientDocument.parse(JSON.parse(bytes.toString('utf8')))
    if (document.client_id !== id || !document.redirect_uris.every(isAllowedRedirect)) throw unknown()
    return { id, name: nameOf(document.client_name, id), redirectUris: document.redirect_uris }
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof AddressRefused))
      system.log.info({ reason: errorLine(error) }, 'the description of an assistant could not be read')
    throw unknown()
  }
}

/** The claimed name as one line without control characters, since it is shown to an artist who decides about trust. */
function nameOf(claimed: string | undefined, address: string): string {
  const plain = (claimed ?? '').replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return plain === '' ? hostOf(address) : plain.slice(0, assistantLimits.nameMax)
}
