import { findAccessToken, touchGrant } from '@flashsheet/db/api-keys'
import type { Db } from '@flashsheet/db/client'
import { randomBytes } from 'node:crypto'
import { callerWith, type KeyCaller } from './api-keys.ts'
import { sha256 } from './crypto.ts'

const prefixes = { access: 'fsa_', refresh: 'fsr_', code: 'fsc_' } as const
type SecretKind = keyof typeof prefixes
const accessShape = /^bearer +(fsa_[\w-]{43})$/i

/** A secret of 256 random bits for an assistant, and its hash. Only the hash is stored. */
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
      return await callerWith(db, now(), hash, await findAccessToken(db, hash), touchGrant)
    },
  }
}
