import type { Tx } from '@flashsheet/db/client'
import { randomBytes } from 'node:crypto'
import { seal, unseal, type Keys } from '../../../core/crypto.ts'
import { newId } from '../../../core/ids.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { insertSecret, listSecrets } from '../queries/endpoints.ts'

/** Of the 24 to 64 that the Standard Webhooks specification allows. */
const secretBytes = 32

/** Binds a secret to its row, so that it opens in no other. */
export const secretPlace = (id: string): string => `webhook_secrets ${id} secret`

/** Makes the secret that an endpoint's calls are signed with, and answers it. */
export async function makeSecret(tx: Tx, keys: Keys, endpointId: string, now: Date): Promise<string> {
  const id = newId()
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`
  await insertSecret(tx, endpointId, {
    id,
    secret: seal(keys, secretPlace(id), secret),
    createdAt: now,
    signsUntil: null,
  })
  return secret
}

/** What an endpoint's calls are signed with now, the newest first. */
export async function openSecrets(
  db: Tx,
  keys: Keys,
  owner: OwnerId,
  endpointId: string,
  now: Date,
): Promise<string[]> {
  return (await listSecrets(db, owner, endpointId, now)).map(({ id, secret }) => unseal(keys, secretPlace(id), secret))
}
