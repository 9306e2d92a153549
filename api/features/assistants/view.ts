import type { ConnectedAssistant } from '@flashsheet/contracts/assistants/schema'
import { keyScopes } from '@flashsheet/contracts/keys/limits'
import type { GrantRow } from './queries.ts'

export function assistantView(row: GrantRow): ConnectedAssistant {
  return {
    _id: row.id,
    name: row.name,
    host: row.host,
    scopes: keyScopes.filter((scope) => row.scopes.includes(scope)),
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }
}
