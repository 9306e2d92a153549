import type { KeyScope } from '@flashsheet/contracts/keys/limits'
import { apiKeys } from '@flashsheet/db/schema/keys'
import { newKey } from '../core/api-keys.ts'
import { newId } from '../core/ids.ts'
import { createVisitor, type Visitor } from './actors.ts'
import type { TestApp } from './app.ts'

/** A program of an artist: calls with an API key, which is inserted into the database, and without cookies. */
export async function createProgram(
  app: Pick<TestApp, 'client' | 'url' | 'clock' | 'running'>,
  artist: { id: string },
  scopes: readonly KeyScope[],
  options: { expiresAt?: Date } = {},
): Promise<Visitor & { key: string; keyId: string }> {
  const { key, prefix, hash } = newKey(app.running.config)
  const keyId = newId()
  await app.client.db.insert(apiKeys).values({
    id: keyId,
    userId: artist.id,
    name: 'A program',
    prefix,
    hash,
    scopes: [...scopes],
    createdAt: app.clock.now(),
    expiresAt: options.expiresAt ?? null,
  })
  return { ...createVisitor(app.url, { authorization: `Bearer ${key}` }), key, keyId }
}
