import { keyScopes } from '@flashsheet/contracts/keys/limits'
import { findAccessToken, touchGrant } from '@flashsheet/db/assistant-tokens'
import type { Db } from '@flashsheet/db/client'
import { randomBytes } from 'node:crypto'
import type { KeyCaller } from './api-keys.ts'
import { sha256 } from './crypto.ts'

/** "Last used" is written at most this often. */
const usedMs = 60_000

const prefixes = { access: 'fsa_', refresh: 'fsr_', code: 'fsc_' } as const
type SecretKind = keyof typeof prefixes
const accessShape = /^bearer +(fsa_[\w-]{43})$/i

/** A secret of 256 random bits for an assistant, and its hash: the secret itself is stored nowhere. */
export function newAssistantSecret(kind: SecretKind): { secret: string; hash: string } {
  const secret = `${prefixes[kind]}${randomBytes(32).toString('base64url')}`
  return { secret, hash: sha256(secret) }
}

export type AssistantTokens = ReturnType<typeof createAssistantTokens>

/** Authenticates assistants at /mcp by their access token. Not cached, so that a disconnected one is refused at once. */
export function createAssistantTokens(db: Db, now: () => Date) {
  return {
    /** The owner of the token in an Authorization header, as a key with the consented scopes. */
    async callerOf(authorization: string): Promise<KeyCaller | undefined> {
      const token = accessShape.exec(authorization.trim())?.[1]
      if (token === undefined) return undefined
      const hash = sha256(token)
      const at = now()
      const found = await findAccessToken(db, hash, at)
      if (!found) return undefined
      const { id, lastUsedAt, scopes } = found.grant
      const before = new Date(at.getTime() - usedMs)
      if (!lastUsedAt || lastUsedAt < before) await touchGrant(db, id, at, before)
      return { kind: 'key', id, hash, scopes: keyScopes.filter((scope) => scopes.includes(scope)), user: found.user }
    },
  }
}
