import type postgres from 'postgres'

/** What has to hold before a migration, asked while nothing has been changed yet; answers what is wrong and what to do about it. */
type Check = { before: string; objection: (sql: postgres.Sql) => Promise<string | undefined> }

const checks: readonly Check[] = [{ before: '0039_words', objection: ordersInOtherCurrencies }]

/** The first thing that keeps these migrations from being run; undefined: nothing does. */
export async function objectionTo(sql: postgres.Sql, tags: readonly string[]): Promise<string | undefined> {
  for (const { before, objection } of checks) {
    const words = tags.includes(before) ? await objection(sql) : undefined
    if (words !== undefined) return words
  }
  return undefined
}

/** Releases before took an invoice in any currency for an order, and added its cents to those of others. */
async function ordersInOtherCurrencies(sql: postgres.Sql): Promise<string | undefined> {
  const [table] = await sql<{ there: boolean }[]>`select to_regclass('public.subscription_orders') is not null as there`
  if (!table?.there) return undefined
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
