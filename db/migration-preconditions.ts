import type postgres from 'postgres'

/** What prevents the migrations `tags`, and what to do about it; checked before anything is changed. Undefined: nothing. */
export async function findMigrationProblem(sql: postgres.Sql, tags: readonly string[]): Promise<string | undefined> {
  return tags.includes('0039_words') ? await ordersInOtherCurrencies(sql) : undefined
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
