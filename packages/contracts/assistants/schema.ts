import { z } from 'zod'
import type { KeyScope } from '../keys/limits.ts'
import { assistantLimits } from './limits.ts'
import { assistantMessages } from './messages.ts'

const text = (most: number) => z.string().max(most, assistantMessages.requestWrong)

/** The parameters of the consent screen (RFC 6749, 7636, 8707). Missing ones default to '', and are refused later by name. */
export const ConsentParams = z.object({
  response_type: text(50).default(''),
  client_id: text(assistantLimits.addressMax).default(''),
  redirect_uri: text(assistantLimits.addressMax).default(''),
  code_challenge: text(200).default(''),
  code_challenge_method: text(20).default(''),
  scope: text(1000).default(''),
  state: text(2000).default(''),
  resource: text(assistantLimits.addressMax).default(''),
})
export type ConsentParams = z.infer<typeof ConsentParams>

/** `ConsentParams`, encoded as one parameter. */
export const ConsentInput = z.object({ request: z.string().max(12_000, assistantMessages.requestWrong) })
export type ConsentInput = z.infer<typeof ConsentInput>

/** A request for consent to show to the artist; or why it is refused, and the address that reports this to the assistant. */
export type ConsentRequest =
  | {
      /** As the assistant gave it. */
      name: string
      /** The host of the redirect address. */
      host: string
      scopes: KeyScope[]
      /** The address that reports a refusal to the assistant. */
      backTo: string
    }
  | { refusal: string; host: string; backTo: string }

export type ConsentGiven = { backTo: string }

export type ConnectedAssistant = {
  _id: string
  name: string
  host: string
  scopes: KeyScope[]
  createdAt: string
  /** Accurate to a minute; null before its first call. */
  lastUsedAt: string | null
}

const redirectUris = z
  .array(z.string().max(assistantLimits.addressMax, assistantMessages.redirectWrong), {
    error: assistantMessages.redirectWrong,
  })
  .min(1, assistantMessages.redirectWrong)
  .max(assistantLimits.redirectsMax, assistantMessages.redirectWrong)

/** A program that registers itself (RFC 7591); other fields are ignored. */
export const RegisterClientInput = z.object({
  client_name: z.string().max(1000).optional(),
  redirect_uris: redirectUris,
})
export type RegisterClientInput = z.infer<typeof RegisterClientInput>

export const RegisteredClient = z.object({
  client_id: z.uuid(),
  client_id_issued_at: z.number().int(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()),
  token_endpoint_auth_method: z.literal('none'),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
})
export type RegisteredClient = z.infer<typeof RegisteredClient>

/** A program's client metadata (OAuth client id metadata document). */
export const ClientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().max(1000).optional(),
  redirect_uris: redirectUris,
})

/** Tokens for an assistant (RFC 6749, section 5.1). */
export const IssuedTokens = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().int(),
  refresh_token: z.string(),
  scope: z.string(),
})
export type IssuedTokens = z.infer<typeof IssuedTokens>
