import { once } from 'node:events'
import * as net from 'node:net'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { connect, type DbClient } from './client.ts'
import { runInRequestContext } from './request-context.ts'

/** `terminated`: closed after the error that the server sends when an administrator ends the connection. */
type Ending = 'closed' | 'reset' | 'terminated'

/** ErrorResponse: FATAL 57P01. */
const terminatedFields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')
const terminatedMessage = Buffer.concat([
  Buffer.from('E'),
  Buffer.from(Uint32Array.of(terminatedFields.length + 4).buffer).swap32(),
  terminatedFields,
])

/** A proxy between a client and Postgres, so that a connection can end or stall while its server continues. */
type Proxy = {
  url: string
  /** Ends every connection like a server that shuts down, or resets it like a killed one. */
  end: (how: 'closed' | 'reset') => Promise<void>
  /** Ends the next connection that sends `text`, without forwarding it. `refusing`: no new connection until `open`. */
  endAt: (text: string, how: Ending, refusing: 'refusing' | 'open') => void
  open: () => Promise<void>
  /** Resolves once `text` has been forwarded to the server. */
  forwarded: (text: string) => Promise<void>
  /** Withholds everything that the server sends until `resume`, like a frozen server. */
  freeze: () => void
  resume: () => void
  stop: () => Promise<void>
}

async function openProxy(to: string): Promise<Proxy> {
  const url = new URL(to)
  const port = Number(url.port)
  const pairs = new Set<{ client: net.Socket; server: net.Socket }>()
  let frozen = false
  let awaited: { text: string; resolve: () => void } | undefined
  let fault: { text: string; how: Ending; refusing: 'refusing' | 'open' } | undefined
  const listener = net.createServer((client) => {
    const server = net.connect(port, url.hostname)
    const pair = { client, server }
    pairs.add(pair)
    client.on('error', () => {})
    server.on('error', () => {})
    client.on('data', (bytes) => {
      if (!fault || !bytes.includes(fault.text)) {
        server.write(bytes)
        if (awaited && bytes.includes(awaited.text)) awaited.resolve()
        return
      }
      if (fault.refusing === 'refusing') listener.close()
      if (fault.how === 'reset') client.resetAndDestroy()
      else client.end(fault.how === 'terminated' ? terminatedMessage : '')
      fault = undefined
    })
    client.once('end', () => server.end())
    server.on('data', (bytes) => client.write(bytes))
    server.once('close', () => client.end())
    if (frozen) server.pause()
    client.once('close', () => {
      pairs.delete(pair)
      server.destroy()
    })
  })
  const listen = async (at: number) => await new Promise<void>((resolve) => listener.listen(at, '127.0.0.1', resolve))
  await listen(0)
  url.port = String((listener.address() as net.AddressInfo).port)
  return {
    url: url.href,
    async end(how) {
      await Promise.all(
        [...pairs].map(async ({ client }) => {
          if (how === 'closed') client.end()
          else client.resetAndDestroy()
          if (!client.closed) await once(client, 'close')
        }),
      )
    },
    endAt(text, how, refusing) {
      fault = { text, how, refusing }
    },
    open: async () => await listen(Number(url.port)),
    forwarded: async (text) => await new Promise((resolve) => (awaited = { text, resolve })),
    freeze() {
      frozen = true
      for (const { server } of pairs) server.pause()
    },
    resume() {
      frozen = false
      for (const { server } of pairs) server.resume()
    },
    async stop() {
      for (const { client } of pairs) client.destroy()
      await new Promise<void>((resolve) => listener.close(() => resolve()))
    },
  }
}

let proxy: Proxy
let client: DbClient
beforeEach(async () => {
  proxy = await openProxy(inject('adminUrl'))
  client = connect(proxy.url, 1, { statementMs: 1500, lockMs: 0, idleTransactionMs: 0 })
})
afterEach(async () => {
  await client.close()
  await proxy.stop()
})

const one = async () => (await client.sql<{ one: number }[]>`select 1 as one`)[0]?.one
/** `answered`, or the error's code. */
const outcomeOf = async (statement: Promise<unknown>) =>
  await statement.then(
    () => 'answered',
    (error: NodeJS.ErrnoException) => error.code,
  )

for (const how of ['closed', 'reset'] as const) {
  test(`a transaction whose connection was ${how} is rejected with all its later statements, and the next statement succeeds`, async () => {
    const later: (string | undefined)[] = []
    const allSent = Promise.withResolvers<void>()
    const transaction = client.sql.begin(async (tx) => {
      await tx`select 1`
      await proxy.end(how)
      for (let n = 0; n < 3; n++) later.push(await outcomeOf(tx`select pg_notify('never', 'sent')`))
      allSent.resolve()
    })
    expect(await outcomeOf(transaction)).toMatch(/^(?:CONNECTION_CLOSED|ECONNRESET)$/)
    await allSent.promise
    expect(later.every((code) => code !== 'answered')).toBe(true)
    expect([await one(), await one()]).toEqual([1, 1])
  })

  test(`a statement under way when its connection is ${how} is rejected, and later ones get their own results`, async () => {
    await one()
    const areSent = proxy.forwarded('select 2')
    const statements = [outcomeOf(client.sql`select pg_sleep(5)`), outcomeOf(client.sql`select 2`)]
    await areSent
    await proxy.end(how)
    for (const code of await Promise.all(statements)) expect(code).toMatch(/^(?:CONNECTION_CLOSED|ECONNRESET)$/)
    const answers: unknown[] = []
    for (const n of [3, 4, 5, 6])
      answers.push(
        await client.sql<{ n: number }[]>`select ${n}::int as n`.then(
          ([row]) => row?.n,
          (error: NodeJS.ErrnoException) => error.code,
        ),
      )
    // The first may still be sent on the dead connection: it is rejected, neither lost nor answered with another's
    // result.
    expect([3, 'CONNECTION_CLOSED', 'ECONNRESET', 'EPIPE']).toContain(answers.shift())
    expect(answers).toEqual([4, 5, 6])
  })
}

/** While the driver reads the array types, no caller awaits its statement. */
const endingsWhileReadingTypes: [Ending, 'refusing' | 'open', (string | number)[]][] = [
  ['closed', 'refusing', ['ECONNREFUSED']],
  ['reset', 'refusing', ['ECONNRESET', 'ECONNREFUSED']],
  ['terminated', 'refusing', ['ECONNREFUSED']],
  ['closed', 'open', ['answered']],
  ['terminated', 'open', ['answered']],
]
test.each(endingsWhileReadingTypes)(
  'a connection that is %s while the driver reads types is replaced (proxy then: %s), and no rejection is unhandled',
  async (how, refusing, outcomes) => {
    const unhandled: unknown[] = []
    const record = (error: unknown) => void unhandled.push(error)
    process.on('unhandledRejection', record)
    try {
      proxy.endAt('pg_catalog.pg_type', how, refusing)
      expect(outcomes).toContain(await outcomeOf(one()))
      if (refusing === 'refusing') await proxy.open()
      expect(await client.sql`select array[1, 2] as two`).toEqual([{ two: [1, 2] }])
      expect(unhandled).toEqual([])
    } finally {
      process.off('unhandledRejection', record)
    }
  },
)

test('a transaction that continues after its connection was lost runs nothing on the new connection', async () => {
  await client.sql`create temporary table numbers (n int)`.catch(() => {})
  const lost = Promise.withResolvers<void>()
  const reconnected = Promise.withResolvers<void>()
  const lateOutcome = Promise.withResolvers<string | undefined>()
  const transaction = client.sql.begin(async (tx) => {
    await tx`select 1`
    await proxy.end('closed')
    lost.resolve()
    await reconnected.promise
    lateOutcome.resolve(await outcomeOf(tx`insert into numbers values (1)`))
  })
  const ended = outcomeOf(transaction)
  await lost.promise
  await ended
  await client.sql`create temporary table numbers (n int)`
  reconnected.resolve()
  expect(await lateOutcome.promise).toBe('CONNECTION_CLOSED')
  expect(await client.sql`select n from numbers`).toHaveLength(0)
})

test('when the server stalls, running and queued statements fail, and new ones work once it answers', async () => {
  await one()
  proxy.freeze()
  const outcomes = await Promise.all(Array.from({ length: 150 }, async () => await outcomeOf(client.sql`select 1`)))
  expect(outcomes).not.toContain('answered')
  // New connections stall as well.
  expect(await outcomeOf(client.sql`select 1`)).not.toBe('answered')
  proxy.resume()
  expect(await one()).toBe(1)
})

test('after a statement of a request timed out, its other statements fail at once on every pool, and those of other requests do not', async () => {
  const limits = { statementMs: 3000, lockMs: 0, idleTransactionMs: 0 }
  const sessions = connect(proxy.url, 1, limits)
  try {
    await Promise.all([one(), sessions.sql`select 1`])
    proxy.freeze()
    await runInRequestContext(async () => {
      expect(await outcomeOf(client.sql`select 1`)).toBe('QUERY_TIMEOUT')
      const order: string[] = []
      const ask = async (who: string) => {
        expect(await outcomeOf(sessions.sql`select 1`)).toBe('QUERY_TIMEOUT')
        order.push(who)
      }
      await Promise.all([runInRequestContext(async () => await ask('another request')), ask('the same request')])
      expect(order).toEqual(['the same request', 'another request'])
    })
    proxy.resume()
    expect(await one()).toBe(1)
  } finally {
    await sessions.close()
  }
})

test('the server cancels a statement that takes too long, and the connection remains open', async () => {
  const pid = async () => (await client.sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid
  const before = await pid()
  expect(await outcomeOf(client.sql`select pg_sleep(30)`)).toBe('57014')
  expect(await pid()).toBe(before)
})

test('the server ends a transaction that idles', async () => {
  const transaction = client.sql.begin(async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = '50ms'`
    await new Promise((resolve) => setTimeout(resolve, 10_000).unref())
  })
  expect(await outcomeOf(transaction)).toBe('CONNECTION_CLOSED')
  expect(await one()).toBe(1)
})
