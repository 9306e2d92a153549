import type { System } from '../../../core/context.ts'
import { seal, sealedPrefix, unseal } from '../../../core/crypto.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { countOtherSecrets, lockOtherSecrets, saveSecret } from '../queries/seals.ts'
import { secretContext } from './secrets.ts'

/** Rows per transaction. */
const perBatch = 200
const beforeAll = '00000000-0000-0000-0000-000000000000'

/**
 * Encrypts every signing secret with the current key that was encrypted with the previous one. Idempotent, also when it runs
 * concurrently; a secret that neither key decrypts stays. Answers how many still need another key.
 */
export async function resealSecrets(system: System): Promise<number> {
  const prefix = sealedPrefix(system.config)
  for (let after: string | undefined = beforeAll; after !== undefined;) {
    const from: string = after
    after = await system.db.transaction(async (tx) => {
      const rows = await lockOtherSecrets(tx, everyoneScope(), prefix, from, perBatch)
      for (const { id, secret } of rows) {
        const anew = sealedAnew(system, id, secret)
        if (anew !== undefined) await saveSecret(tx, everyoneScope(), { id, secret: anew })
      }
      return rows.at(-1)?.id
    })
  }
  return await countOtherSecrets(system.db, everyoneScope(), prefix)
}

function sealedAnew({ config, log }: System, id: string, secret: string): string | undefined {
  try {
    return seal(config, secretContext(id), unseal(config, secretContext(id), secret))
  } catch (error) {
    log.warn({ err: error, id }, 'a webhook secret that no key opens: is SECRET_KEY_OLD missing? It has to be replaced')
    return undefined
  }
}
