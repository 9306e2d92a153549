import { keyScopes } from '@flashsheet/contracts/keys/limits'
import type { ApiKey } from '@flashsheet/contracts/keys/schema'
import type { KeyRow } from './queries.ts'

export function keyView(row: KeyRow): ApiKey {
  return {
    _id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: keyScopes.filter((scope) => row.scopes.includes(scope)),
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
  }
}
