import { assistantLimits } from '@flashsheet/contracts/assistants/limits'
import { assistantMessages } from '@flashsheet/contracts/assistants/messages'
import {
  ClientDocument,
  type RegisterClientInput,
  type RegisteredClient,
} from '@flashsheet/contracts/assistants/schema'
import { z } from 'zod'
import type { RequestCtx, System, VerifiedCtx } from '../../../core/context.ts'
import { errorLine } from '../../../core/describe-error.ts'
import { AppError, invalid } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { countAgainst } from '../../../core/limits.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { ForeignAddressRefused } from '../../../gateways/foreign-address.ts'
import { findRegisteredClient, insertClient } from '../queries.ts'
import { hostOf, isAllowedRedirect } from '../rules.ts'

/** A program that asks to be connected. */
export type Client = { id: string; name: string; redirectUris: readonly string[] }

const documentBytes = 20_480
const documentMs = 5000

/** Lets a program register itself (RFC 7591); it gets no secret. Throws invalid, and tooMany. */
export async function registerClient(ctx: RequestCtx, input: RegisterClientInput): Promise<RegisteredClient> {
  await countAgainst(ctx, 'assistantClientsPerIp', ctx.ip)
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
 * A program by its id: one that registered itself, or one whose id is the address of what it says of itself. Throws invalid, and tooMany
 * for an artist who had too many of these read.
 */
export async function findClient(ctx: VerifiedCtx, id: string): Promise<Client> {
  if (z.uuid().safeParse(id).success) {
    const row = await findRegisteredClient(ctx.db, everyoneScope(), id)
    if (row) return row
  } else if (URL.canParse(id)) {
    await countAgainst(ctx, 'assistantPagesPerArtist', ctx.owner)
    return await readDocument(ctx, id)
  }
  throw invalid(assistantMessages.unknownClient, { client_id: assistantMessages.unknownClient })
}

/** The metadata document at a program's own address. Read each time, so that changes take effect at once. */
async function readDocument(system: System, id: string): Promise<Client> {
  const unknown = () => invalid(assistantMessages.unknownClient, { client_id: assistantMessages.unknownClient })
  try {
    const url = system.gateways.foreign.check(id)
    // An id is compared letter by letter, so it has one spelling.
    if (url.href !== id || url.pathname === '/' || id.includes('#')) throw unknown()
    const response = await system.gateways.foreign.read(id, AbortSignal.timeout(documentMs))
    // A redirect is not followed: being able to redirect at a host does not prove control of it.
    const isOwn = response.ok && response.url === id
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += part.byteLength
      if (!isOwn || size > documentBytes) throw unknown()
      parts.push(part)
    }
    const said = ClientDocument.parse(JSON.parse(Buffer.concat(parts).toString('utf8')))
    if (said.client_id !== id || !said.redirect_uris.every(isAllowedRedirect)) throw unknown()
    return { id, name: nameOf(said.client_name, id), redirectUris: said.redirect_uris }
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof ForeignAddressRefused))
      system.log.info({ reason: errorLine(error) }, 'the description of an assistant could not be read')
    throw unknown()
  }
}

/** One line of words: what a program calls itself is shown to a person who is asked to trust it. */
function nameOf(claimed: string | undefined, address: string): string {
  const plain = (claimed ?? '').replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return plain === '' ? hostOf(address) : plain.slice(0, assistantLimits.nameMax)
}
