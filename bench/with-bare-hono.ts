// A Hono handler that reads the session, runs given statements and returns their rows as JSON: the baseline of a read.
// Receives the statements from its parent and sends its port.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'

export type Statement = { query: string; params: (string | number | boolean | null)[] }
/** `session`: sent before each read. `reads`: path to statements; all but the first run in parallel, as in the product. */
export type BareReads = { url: string; session: readonly Statement[]; reads: Record<string, readonly Statement[]> }

process.once('message', (config: BareReads) => {
  const sql = postgres(config.url, { max: 10 })
  const app = new Hono()
  const send = async ({ query, params }: Statement) => await sql.unsafe(query, params, { prepare: true })
  for (const [path, [first, ...others]] of Object.entries(config.reads)) {
    app.get(path, async (c) => {
      for (const one of config.session) if ((await send(one)).length === 0) return c.json([], 401)
      const rows = first ? await send(first) : []
      const more = await Promise.all(others.map(send))
      return c.json([rows, ...more])
    })
  }
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info: AddressInfo) => process.send?.(info.port))
})
