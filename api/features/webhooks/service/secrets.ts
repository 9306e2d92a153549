import type { Tx } from '@flashsheet/db/client'
import { randomBytes } from 'node:crypto'
import type { System } from '../../../core/context.ts'
import { seal, unseal, type Keys } from '../../../core/crypto.ts'
import { newId } from '../../../core/ids.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { insertSecret, listSecrets } from '../queries/endpoints.ts'

/** The Standard Webhooks specification allows 24 to 64. */
const secretBytes = 32

/** Binds an encrypted secret to its row, so that it cannot be decrypted in another one. */
export const secretContext = (id: string): string => `webhook_secrets ${id} secret`

/** Creates and returns the secret that signs an endpoint's calls. */
export async function createSecret(tx: Tx, keys: Keys, endpointId: string, now: Date): Promise<string> {
  const id = newId()
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`
  const sealed = seal(keys, secretContext(id), secret)
  await insertSecret(tx, endpointId, { id, secret: sealed, createdAt: now, signsUntil: null })
  return secret
}

/**
 * The decrypted secrets that sign an endpoint's calls now, newest first. One that no key decrypts is omitted and logged:
 * a signature by any of the others is enough for a receiver.
 */
export async function openSecrets(
  { db, config, log }: Pick<System, 'db' | 'config' | 'log'>,
  owner: OwnerId,
  endpointId: string,
  now: Date,
): Promise<string[]> {
  const decrypted: string[] = []
  for (const { id, secret } of await listSecrets(db, owner, endpointId, now)) {
    try {
      decrypted.push(unseal(config, secretContext(id), secret))
    } catch (error) {
      log.warn({ err: error, id, endpointId }, 'a webhook secret that no key decrypts: is SECRET_KEY_OLD missing?')
    }
  }
  return decrypted
}

/** The newest secret of an endpoint, decrypted. Throws when no key decrypts it. */
export async function openNewestSecret(tx: Tx, keys: Keys, owner: OwnerId, endpointId: string, now: Date) {
  const [newest] = await listSecrets(tx, owner, endpointId, now)
  if (!newest) throw new Error('an endpoint has no secret')
  return unseal(keys, secretContext(newest.id), newest.secret)
}
