import type { System } from '../../../core/context.ts'
import { seal, sealedPrefix, unseal } from '../../../core/crypto.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { countOtherSecrets, lockOtherSecrets, saveSecret } from '../queries/seals.ts'
import { secretContext } from './secrets.ts'

const rowsPerTransaction = 200
const beforeAll = '00000000-0000-0000-0000-000000000000'

/**
 * Encrypts signing secrets again that were encrypted with the previous key, with the current one. Idempotent, also when
 * it runs concurrently. Returns how many remain, because neither key decrypts them or another run has them locked.
 */
export async function resealSecrets(system: System): Promise<number> {
  const prefix = sealedPrefix(system.config)
  for (let after: string | undefined = beforeAll; after !== undefined;) {
    const from: string = after
    after = await system.db.transaction(async (tx) => {
      const rows = await lockOtherSecrets(tx, everyoneScope(), prefix, from, rowsPerTransaction)
      for (const { id, secret } of rows) {
        const resealed = reseal(system, id, secret)
        if (resealed !== undefined) await saveSecret(tx, everyoneScope(), { id, secret: resealed })
      }
      return rows.at(-1)?.id
    })
  }
  return await countOtherSecrets(system.db, everyoneScope(), prefix)
}

function reseal({ config, log }: System, id: string, secret: string): string | undefined {
  try {
    return seal(config, secretContext(id), unseal(config, secretContext(id), secret))
  } catch (error) {
    log.warn(
      { err: error, id },
      'a webhook secret that no key decrypts: is SECRET_KEY_OLD missing? It has to be replaced',
    )
    return undefined
  }
}
