import { keyScopes, type KeyScope } from '@flashsheet/contracts/keys/limits'
import { keyMessages } from '@flashsheet/contracts/keys/messages'
import { findKey, touchKey, type StoredAccess } from '@flashsheet/db/api-keys'
import type { Db } from '@flashsheet/db/client'
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Config } from './config.ts'
import { sha256 } from './crypto.ts'
import { AppError } from './errors.ts'
import type { SessionUser } from './sessions/session.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretCharacters = 40
const checksumCharacters = 6
/** Length of the random part shown in lists. */
const shownCharacters = 4
const shape = new RegExp(`^fs_(?:live|test)_[0-9A-Za-z]{${secretCharacters + checksumCharacters}}$`)

/** "Last used" is written at most this often. */
const touchEveryMs = 60_000

/** The checksum at the end of a key, by which secret scanners and `isKey` recognise one offline. */
function checksumOf(secret: string): string {
  let value = crc32(secret)
  let text = ''
  while (value > 0) {
    text = `${alphabet[value % alphabet.length]}${text}`
    value = Math.floor(value / alphabet.length)
  }
  return text.padStart(checksumCharacters, '0')
}

/** A new key; its prefix is `fs_test_` if the outside services are the sandbox. */
export function newKey(config: Pick<Config, 'sandbox'>): { key: string; prefix: string; hash: string } {
  const kind = config.sandbox ? 'fs_test_' : 'fs_live_'
  const secret = Array.from({ length: secretCharacters }, () => alphabet[randomInt(alphabet.length)]).join('')
  const key = `${kind}${secret}${checksumOf(secret)}`
  return { key, prefix: key.slice(0, kind.length + shownCharacters), hash: sha256(key) }
}

/** Whether a text has the form and checksum of a key; it may still be unknown. */
export function isKey(text: string): boolean {
  if (!shape.test(text)) return false
  const secret = text.slice(-(secretCharacters + checksumCharacters), -checksumCharacters)
  return text.endsWith(checksumOf(secret))
}

export type KeyCaller = {
  kind: 'key'
  id: string
  hash: string
  expiresAt: Date | null
  scopes: readonly KeyScope[]
  user: SessionUser
}
export type ApiKeys = ReturnType<typeof createApiKeys>

export const keyRefusal = () => new AppError('unauthenticated', keyMessages.notValid, { code: 'key' })

/** The caller with a stored key or token, whose use it records; undefined if it is unknown or expired. */
export async function callerWith(
  db: Db,
  at: Date,
  hash: string,
  found: StoredAccess | undefined,
  touch: typeof touchKey,
): Promise<KeyCaller | undefined> {
  if (!found || (found.expiresAt && found.expiresAt <= at)) return undefined
  const { id, lastUsedAt, expiresAt, user } = found
  const before = new Date(at.getTime() - touchEveryMs)
  if (!lastUsedAt || lastUsedAt < before) await touch(db, id, at, before)
  const scopes = keyScopes.filter((scope) => found.scopes.includes(scope))
  return { kind: 'key', id, hash, expiresAt, scopes, user }
}

/** Authenticates API keys. Not cached, so that a revoked key is refused at once in every process. */
export function createApiKeys(db: Db, now: () => Date) {
  const find = async (hash: string) => await callerWith(db, now(), hash, await findKey(db, hash), touchKey)
  return {
    /** The owner of the key in an Authorization header; undefined if it is unknown, revoked, expired or malformed. */
    async callerOf(authorization: string): Promise<KeyCaller | undefined> {
      const key = /^bearer +(\S+)$/i.exec(authorization.trim())?.[1]
      return key !== undefined && isKey(key) ? await find(sha256(key)) : undefined
    },
    /** Reads a caller again; undefined if its key is no longer valid. */
    reload: async (caller: KeyCaller): Promise<KeyCaller | undefined> => await find(caller.hash),
  }
}
