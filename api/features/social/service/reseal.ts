import type { System } from '../../../core/context.ts'
import { sealedPrefix } from '../../../core/crypto.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { resealSecrets } from '../../webhooks/service/reseal-secrets.ts'
import { countOtherSeals, lockOtherSeals, saveSeals, type SealedToken } from '../queries/seals.ts'
import { openPageToken, openToken, sealPageToken, sealToken } from './token-encryption.ts'

/** Rows per transaction. */
const perBatch = 200
const beforeAll = '00000000-0000-0000-0000-000000000000'

/**
 * Encrypts every token with the current key, bound to its row, that was encrypted with the previous key or without a
 * binding, and the secrets of webhooks. Logs when the old key is no longer needed. Idempotent, also when it runs concurrently; a token that neither
 * key decrypts stays.
 */
export async function resealTokens(system: System): Promise<void> {
  const prefix = sealedPrefix(system.config)
  let resealed = 0
  let unreadable = 0
  for (const table of ['account', 'page'] as const) {
    for (let id: string | undefined = beforeAll; id !== undefined;) {
      const after = { table, id }
      id = await system.db.transaction(async (tx) => {
        const rows = await lockOtherSeals(tx, everyoneScope(), prefix, after, perBatch)
        for (const row of rows) {
          const anew = sealedAnew(system, row)
          if (anew) await saveSeals(tx, everyoneScope(), anew)
          if (anew) resealed += 1
          else unreadable += 1
        }
        return rows.at(-1)?.id
      })
    }
  }
  if (resealed > 0) system.log.info({ resealed }, 'tokens were sealed anew with the key in use')
  if (unreadable > 0)
    system.log.warn(
      { unreadable },
      'tokens that no key opens: is SECRET_KEY_OLD missing? Their accounts have to be connected again',
    )
  const secretsLeft = await resealSecrets(system)
  if (!system.config.secretKeyOld) return
  const left = secretsLeft + (await countOtherSeals(system.db, everyoneScope(), prefix))
  if (left === 0)
    system.log.info(
      'every token and secret is sealed with SECRET_KEY. A day after it was changed SECRET_KEY_OLD may go',
    )
}

function sealedAnew(
  { config, log }: System,
  row: SealedToken,
): Pick<SealedToken, 'table' | 'id' | 'accessToken' | 'refreshToken'> | undefined {
  const { table, id, login, pageId, accessToken, refreshToken } = row
  try {
    if (table === 'page') {
      const token = pageId === null ? null : openPageToken(config, login, { pageId, accessToken })
      return {
        table,
        id,
        accessToken: token === null || pageId === null ? null : sealPageToken(config, login, pageId, token),
        refreshToken: null,
      }
    }
    if (accessToken === null) return undefined
    return {
      table,
      id,
      accessToken: sealToken(config, login, 'access_token', openToken(config, login, 'access_token', accessToken)),
      refreshToken:
        refreshToken === null
          ? null
          : sealToken(config, login, 'refresh_token', openToken(config, login, 'refresh_token', refreshToken)),
    }
  } catch (error) {
    log.debug({ err: error, table, id }, 'a token does not open')
    return undefined
  }
}
