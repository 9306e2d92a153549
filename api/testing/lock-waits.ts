import type { DbClient } from '@flashsheet/db/client'

/** How many statements that contain `text` wait for a lock in the client's database. */
export async function lockWaits({ sql }: Pick<DbClient, 'sql'>, text = ''): Promise<number> {
  const rows = await sql`select 1 from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and position(lower(${text}) in lower(query)) > 0`
  return rows.length
}
