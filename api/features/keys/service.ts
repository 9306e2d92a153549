import { isEntitled } from '@flashsheet/contracts/plans'
import { keyLimits, keyScopes } from '@flashsheet/contracts/keys/limits'
import { keyMessages } from '@flashsheet/contracts/keys/messages'
import type { IdParam } from '@flashsheet/contracts/input'
import type { ApiKey, CreateKeyInput, Deleted, Me, NewApiKey } from '@flashsheet/contracts/keys/schema'
import { newKey } from '../../core/api-keys.ts'
import type { VerifiedCtx } from '../../core/context.ts'
import { full, invalid, notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { lockAndCountKeys, deleteKey, insertKey, listKeyRows } from './queries.ts'
import { keyView } from './view.ts'

/** The artist of the session or key, and the key's scopes. */
export function getCaller(ctx: VerifiedCtx): Me {
  const { id, name, email, timeZone, subscription } = ctx.user
  const plan = subscription && isEntitled(subscription, 'app') ? subscription.plan : null
  const scopes = ctx.caller?.kind === 'key' ? [...ctx.caller.scopes] : null
  return { _id: id, name, email, plan, timeZone, scopes }
}

/** The artist's keys, newest first, without the keys themselves. */
export async function listKeys(ctx: VerifiedCtx): Promise<ApiKey[]> {
  return (await listKeyRows(ctx.db, ctx.owner)).map(keyView)
}

/** Creates a key and returns it, which happens only once. Throws invalid for an expiry in the past, full at the 21st. */
export async function createKey(ctx: VerifiedCtx, input: CreateKeyInput): Promise<NewApiKey> {
  const now = ctx.now()
  const expiresAt = typeof input.expiresAt === 'string' ? new Date(input.expiresAt) : null
  if (expiresAt && expiresAt <= now) throw invalid(keyMessages.expiryPast, { expiresAt: keyMessages.expiryPast })
  const { key, prefix, hash } = newKey(ctx.config)
  const scopes = keyScopes.filter((scope) => input.scopes.includes(scope))
  const row = { id: newId(), name: input.name, prefix, scopes, createdAt: now, lastUsedAt: null, expiresAt }
  await ctx.db.transaction(async (tx) => {
    if ((await lockAndCountKeys(tx, ctx.owner)) >= keyLimits.keysPerArtist) throw full(keyMessages.full)
    await insertKey(tx, ctx.owner, { ...row, hash })
  })
  return { ...keyView(row), key }
}

/** Revokes a key: its next request is refused everywhere, and its live updates end. Throws notFound. */
export async function revokeKey(ctx: VerifiedCtx, input: IdParam): Promise<Deleted> {
  if (!(await deleteKey(ctx.db, ctx.owner, input.id))) throw notFound()
  return { deleted: true }
}
