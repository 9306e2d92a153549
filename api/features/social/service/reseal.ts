import type { System } from '../../../core/context.ts'
import { sealedPrefix } from '../../../core/crypto.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { resealSecrets } from '../../webhooks/service/reseal-secrets.ts'
import { countOutdatedSeals, lockOutdatedSeals, saveSeals, type SealedToken } from '../queries/seals.ts'
import { openPageToken, openToken, sealPageToken, sealToken, type TokenColumn } from './token-encryption.ts'

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

/** The row with its tokens encrypted with the current key; undefined when no key decrypts them. */
function resealRow({ config, log }: System, row: SealedToken): SealedToken | undefined {
  const resealed = (column: TokenColumn, token: string) =>
    sealToken(config, row, column, openToken(config, row, column, token))
  try {
    if (row.table === 'page') {
      const token = openPageToken(config, row, row)
      return token === null ? row : { ...row, accessToken: sealPageToken(config, row, row.pageId, token) }
    }
    const { accessToken, refreshToken } = row
    return {
      ...row,
      accessToken: resealed('access_token', accessToken),
      refreshToken: refreshToken === null ? null : resealed('refresh_token', refreshToken),
    }
  } catch (error) {
    log.debug({ err: error, table: row.table, id: row.id }, 'a token could not be decrypted')
    return undefined
  }
}
