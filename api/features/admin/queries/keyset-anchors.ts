import type { UserSortKey } from '@flashsheet/contracts/admin/limits'
import type { Tx } from '@flashsheet/db/client'
import { userPlaceChanges, userPlaces } from '@flashsheet/db/schema/admin'
import { users } from '@flashsheet/db/schema/auth'
import { sql, type SQL } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'

export type Alphabet = Exclude<UserSortKey, 'createdAt'>

/** A name or an address, and how many sort before the first user who has it: a page in the middle begins there. */
export type KeysetAnchor = { key: string; before: number }

/** How many users lie between two anchors. */
const anchorDistance = 1000

/** The last anchor before an offset, in ascending order; undefined where there is none. */
export async function findKeysetAnchor(
  db: Tx,
  _scope: Everyone,
  alphabet: Alphabet,
  offset: number,
): Promise<KeysetAnchor | undefined> {
  // Where a key is both an anchor and a change, the anchor sorts first: a user added with that name does not precede
  // it.
  const [row] = await db.execute<{ key: string; before: number }>(sql`
    select key, (before + moved)::int as before from (
      select key, before, coalesce(sum(users) over (order by key, before is null rows unbounded preceding), 0) as moved from (
        select key, before, null::int as users from ${userPlaces} where alphabet = ${alphabet}
        union all select key, null, users from ${userPlaceChanges} where alphabet = ${alphabet}
      ) both_kinds
    ) places where before is not null and before + moved <= ${offset} order by key desc limit 1`)
  return row && { key: row.key, before: row.before }
}

/**
 * Writes the anchors anew if users were added or renamed, by reading two indexes of users. Concurrent changes are
 * neither among the users read nor among the changes removed.
 */
export async function writeKeysetAnchors(db: Tx, _scope: Everyone): Promise<void> {
  const [change] = await db.select({ key: userPlaceChanges.key }).from(userPlaceChanges).limit(1)
  if (!change) return
  await db.transaction(async (tx) => {
    // Serialises writers, or both would store their own anchors. Deletions wait meanwhile; reads and registrations do
    // not.
    await tx.execute(sql`lock table ${userPlaces} in exclusive mode`)
    await tx.delete(userPlaces)
    const placed = (alphabet: Alphabet, key: SQL) =>
      sql`select ${sql.raw(`'${alphabet}'`)} as alphabet, ${key} as key, rank() over (order by ${key}) - 1 as before, row_number() over (order by ${key}) as n from ${users}`
    await tx.execute(sql`
      with gone as (delete from ${userPlaceChanges})
      insert into ${userPlaces} (alphabet, key, before)
      select distinct alphabet, key, before from (${placed('name', sql`lower(${users.name})`)} union all ${placed('email', sql`${users.email}`)}) placed where n % ${sql.raw(String(anchorDistance))} = 0`)
  })
}
