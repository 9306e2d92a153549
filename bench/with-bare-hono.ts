// A Hono handler that runs given statements and returns their rows as JSON: the baseline of a read. Gets the statements
// from its parent and sends its port.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'

export type Statement = { query: string; params: (string | number | boolean | null)[] }
/** Path to statements; all but the first run in parallel, as in the product. */
export type BareReads = { url: string; reads: Record<string, Statement[]> }

process.once('message', (told: BareReads) => {
  const sql = postgres(told.url, { max: 10 })
  const app = new Hono()
  for (const [path, [first, ...others]] of Object.entries(told.reads)) {
    app.get(path, async (c) => {
      const rows = first ? await sql.unsafe(first.query, first.params, { prepare: true }) : []
      const more = await Promise.all(
        others.map(async ({ query, params }) => await sql.unsafe(query, params, { prepare: true })),
      )
      return c.json([rows, ...more])
    })
  }
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info: AddressInfo) => process.send?.(info.port))
})
