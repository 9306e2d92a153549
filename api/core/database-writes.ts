import type { DbClient } from '@flashsheet/db/client'

/** A successful write is trusted for this long. */
const trustedMs = 30_000

/**
 * Checks whether the database accepts writes that need disk space: a full or read-only one still answers queries. It writes a
 * temporary table of twenty pages, which is dropped at once.
 */
export function createWriteProbe({ sql }: DbClient): () => Promise<boolean> {
  let wroteAt = -Infinity
  return async () => {
    try {
      // A replica or read-only server accepts writes to temporary tables only, so the probe below would not notice it.
      const [state] = await sql<
        { reading: boolean }[]
      >`select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as reading`
      if (state?.reading) return false
      if (performance.now() - wroteAt < trustedMs) return true
      await sql.begin(async (tx) => {
        await tx`create temporary table readiness on commit drop as select md5(n::text || random()::text) as filling from generate_series(1, 3000) as n`
      })
      wroteAt = performance.now()
      return true
    } catch {
      return false
    }
  }
}
