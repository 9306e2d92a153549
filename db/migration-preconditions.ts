import type postgres from 'postgres'

/** What prevents the migrations `tags`, and what to do about it; checked before anything is changed. Undefined: nothing. */
export async function findMigrationProblem(sql: postgres.Sql, tags: readonly string[]): Promise<string | undefined> {
  if (tags.includes('0000_core')) return await unsuitableDatabase(sql)
  return tags.includes('0039_words') ? await ordersInOtherCurrencies(sql) : undefined
}

/** For a new database only, which can be created again. One with data cannot, and has worked so far. */
async function unsuitableDatabase(sql: postgres.Sql): Promise<string | undefined> {
  const [found] = await sql<
    { version: string; isOld: boolean; encoding: string; name: string; role: string; mayCreate: boolean }[]
  >`
    select current_setting('server_version') as version, current_setting('server_version_num')::int < 150000 as "isOld",
      current_setting('server_encoding') as encoding, current_database() as name, current_user as role,
      has_database_privilege(current_database(), 'create')
        and coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate"`
  if (!found) return undefined
  const { version, isOld, encoding, name, role, mayCreate } = found
  if (isOld) return `The database is Postgres ${version}. Use Postgres 15 or newer.`
  if (encoding !== 'UTF8')
    return (
      `The encoding of the database is ${encoding}, which cannot store every name and caption. Create it again: ` +
      `create database "${name}" owner "${role}" encoding 'UTF8' template template0;`
    )
  if (!mayCreate)
    return `The role "${role}" may not create tables and extensions. Make it the owner: alter database "${name}" owner to "${role}";`
  return undefined
}

/** Earlier releases stored orders in any currency, and added up their cents regardless of it. */
async function ordersInOtherCurrencies(sql: postgres.Sql): Promise<string | undefined> {
  const [table] = await sql<
    { exists: boolean }[]
  >`select to_regclass('public.subscription_orders') is not null as exists`
  if (!table?.exists) return undefined
  const found = await sql<{ currency: string; orders: string }[]>`
    select currency, count(*) as orders from subscription_orders where currency <> 'usd' group by currency order by currency`
  if (found.length === 0) return undefined
  const which = found.map(({ currency, orders }) => `${orders} in "${currency}"`).join(', ')
  return (
    `This release keeps orders in US dollars only, and the database has others: ${which}. Nothing has been changed. ` +
    'Put them aside and start again (docs/operating.md, "Orders in another currency"): ' +
    `create table orders_put_aside as select * from subscription_orders where currency <> 'usd'; ` +
    `delete from subscription_orders where currency <> 'usd';`
  )
}
