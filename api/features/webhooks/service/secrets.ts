import type { Tx } from '@flashsheet/db/client'
import { randomBytes } from 'node:crypto'
import type { System } from '../../../core/context.ts'
import { seal, unseal, type Keys } from '../../../core/crypto.ts'
import { newId } from '../../../core/ids.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { insertSecret, listSecrets } from '../queries/endpoints.ts'

/** Of the 24 to 64 that the Standard Webhooks specification allows. */
const secretBytes = 32

/** Binds a secret to its row, so that it opens in no other. */
export const secretContext = (id: string): string => `webhook_secrets ${id} secret`

/** Makes the secret that an endpoint's calls are signed with, and answers it. */
export async function makeSecret(tx: Tx, keys: Keys, endpointId: string, now: Date): Promise<string> {
  const id = newId()
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`
  const sealed = seal(keys, secretContext(id), secret)
  await insertSecret(tx, endpointId, { id, secret: sealed, createdAt: now, signsUntil: null })
  return secret
}

/**
 * What an endpoint's calls are signed with now, the newest first. A secret that no key opens is left out and named in the log: calls go
 * on with the others, as receivers accept any of them.
 */
export async function openSecrets(
  { db, config, log }: Pick<System, 'db' | 'config' | 'log'>,
  owner: OwnerId,
  endpointId: string,
  now: Date,
): Promise<string[]> {
  const opened: string[] = []
  for (const { id, secret } of await listSecrets(db, owner, endpointId, now)) {
    try {
      opened.push(unseal(config, secretContext(id), secret))
    } catch (error) {
      log.warn({ err: error, id, endpointId }, 'a webhook secret that no key opens: is SECRET_KEY_OLD missing?')
    }
  }
  return opened
}

/** The newest secret of an endpoint. Throws when no key opens it. */
export async function openNewestSecret(
  tx: Tx,
  keys: Keys,
  owner: OwnerId,
  endpointId: string,
  now: Date,
): Promise<string> {
  const [newest] = await listSecrets(tx, owner, endpointId, now)
  if (!newest) throw new Error('an endpoint has no secret')
  return unseal(keys, secretContext(newest.id), newest.secret)
}
