import type { System } from '../../../core/context.ts'
import { sealedPrefix } from '../../../core/crypto.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { resealSecrets } from '../../webhooks/service/reseal-secrets.ts'
import { countOutdatedSeals, lockOutdatedSeals, saveSeals, type SealedToken } from '../queries/seals.ts'
import { openPageToken, openToken, sealPageToken, sealToken } from './token-encryption.ts'

const batchSize = 200
const lowestUuid = '00000000-0000-0000-0000-000000000000'

/**
 * Encrypts tokens with the current key, bound to their row, that were encrypted with the previous key or without a
 * binding; does the same for the secrets of webhooks. Logs when the previous key is no longer needed. Leaves tokens
 * that neither key decrypts. Safe to repeat and to run concurrently.
 */
export async function resealTokens(system: System): Promise<void> {
  const prefix = sealedPrefix(system.config)
  let resealed = 0
  let unreadable = 0
  for (const table of ['account', 'page'] as const) {
    for (let id: string | undefined = lowestUuid; id !== undefined;) {
      const after = { table, id }
      id = await system.db.transaction(async (tx) => {
        const rows = await lockOutdatedSeals(tx, everyoneScope(), prefix, after, batchSize)
        for (const row of rows) {
          const sealed = resealRow(system, row)
          if (sealed) await saveSeals(tx, everyoneScope(), sealed)
          if (sealed) resealed += 1
          else unreadable += 1
        }
        return rows.at(-1)?.id
      })
    }
  }
  if (resealed > 0) system.log.info({ resealed }, 'tokens were encrypted again with SECRET_KEY')
  if (unreadable > 0)
    system.log.warn(
      { unreadable },
      'tokens that no key decrypts: is SECRET_KEY_OLD missing? Their accounts have to be connected again',
    )
  const outdatedSecrets = await resealSecrets(system)
  if (!system.config.secretKeyOld) return
  const outdated = outdatedSecrets + (await countOutdatedSeals(system.db, everyoneScope(), prefix))
  if (outdated === 0)
    system.log.info(
      'every token and secret is encrypted with SECRET_KEY. SECRET_KEY_OLD can be removed a day after the change',
    )
}

/** The row's tokens encrypted with the current key; undefined when no key decrypts them. */
function resealRow(
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
    log.debug({ err: error, table, id }, 'a token could not be decrypted')
    return undefined
  }
}
