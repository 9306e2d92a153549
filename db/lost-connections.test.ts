import { once } from 'node:events'
import * as net from 'node:net'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { connect, type DbClient } from './client.ts'
import { asOneRequest } from './request.ts'

/** `terminated`: closed after the error that an operator ended it. */
type Ending = 'closed' | 'reset' | 'terminated'

/** ErrorResponse: FATAL 57P01. */
const terminatedWords = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')
const terminatedMessage = Buffer.concat([
  Buffer.from('E'),
  Buffer.from(Uint32Array.of(terminatedWords.length + 4).buffer).swap32(),
  terminatedWords,
])

/** A proxy between a client and Postgres, so that a connection can end or stall while its server continues. */
type Line = {
  url: string
  /** Ends every connection like a server that shuts down, or resets it like a killed one. */
  end: (how: 'closed' | 'reset') => Promise<void>
  /**
   * Ends the next connection that sends a text, which the server never gets. `refusing`: no new connection until
   * `open`.
   */
  endAt: (words: string, how: Ending, refusing: 'refusing' | 'open') => void
  open: () => Promise<void>
  /** Blocks all bytes of the server until `speak`, like a frozen server. */
  silence: () => void
  speak: () => void
  stop: () => Promise<void>
}

async function openLine(to: string): Promise<Line> {
  const url = new URL(to)
  const port = Number(url.port)
  const pairs = new Set<{ client: net.Socket; server: net.Socket }>()
  let silent = false
  let fault: { words: string; how: Ending; refusing: 'refusing' | 'open' } | undefined
  const listener = net.createServer((client) => {
    const server = net.connect(port, url.hostname)
    const pair = { client, server }
    pairs.add(pair)
    client.on('error', () => {})
    server.on('error', () => {})
    client.on('data', (bytes) => {
      if (!fault || !bytes.includes(fault.words)) return void server.write(bytes)
      if (fault.refusing === 'refusing') listener.close()
      if (fault.how === 'reset') client.resetAndDestroy()
      else client.end(fault.how === 'terminated' ? terminatedMessage : '')
      fault = undefined
    })
    client.once('end', () => server.end())
    server.on('data', (bytes) => client.write(bytes))
    server.once('close', () => client.end())
    if (silent) server.pause()
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
    endAt(words, how, refusing) {
      fault = { words, how, refusing }
    },
    open: async () => await listen(Number(url.port)),
    silence() {
      silent = true
      for (const { server } of pairs) server.pause()
    },
    speak() {
      silent = false
      for (const { server } of pairs) server.resume()
    },
    async stop() {
      for (const { client } of pairs) client.destroy()
      await new Promise<void>((resolve) => listener.close(() => resolve()))
    },
  }
}

let line: Line
let client: DbClient
beforeEach(async () => {
  line = await openLine(inject('adminUrl'))
  client = connect(line.url, 1, { statementMs: 1500, lockMs: 0, idleTransactionMs: 0 })
})
afterEach(async () => {
  await client.close()
  await line.stop()
})

const one = async () => (await client.sql<{ one: number }[]>`select 1 as one`)[0]?.one
const codeOf = async (asked: Promise<unknown>) =>
  await asked.then(
    () => 'answered',
    (error: NodeJS.ErrnoException) => error.code,
  )

for (const how of ['closed', 'reset'] as const) {
  test(`a transaction whose connection was ${how} is rejected with all its later statements, and the next statement succeeds`, async () => {
    const later: (string | undefined)[] = []
    const over = Promise.withResolvers<void>()
    const transaction = client.sql.begin(async (tx) => {
      await tx`select 1`
      await line.end(how)
      for (let n = 0; n < 3; n++) later.push(await codeOf(tx`select pg_notify('never', 'sent')`))
      over.resolve()
    })
    expect(await codeOf(transaction)).toMatch(/^(?:CONNECTION_CLOSED|ECONNRESET)$/)
    await over.promise
    expect(later.every((code) => code !== 'answered')).toBe(true)
    expect([await one(), await one()]).toEqual([1, 1])
  })

  test(`a statement under way when its connection is ${how} is rejected, and later ones get their own results`, async () => {
    await one()
    const asked = [codeOf(client.sql`select pg_sleep(5)`), codeOf(client.sql`select 2`)]
    // Both are under way before anything ends.
    await new Promise((resolve) => setTimeout(resolve, 20))
    await line.end(how)
    for (const code of await Promise.all(asked)) expect(code).toMatch(/^(?:CONNECTION_CLOSED|ECONNRESET)$/)
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

/** How a connection ends while the driver reads the array types, which no caller awaits. */
const learning: [Ending, 'refusing' | 'open', (string | number)[]][] = [
  ['closed', 'refusing', ['ECONNREFUSED']],
  ['reset', 'refusing', ['ECONNRESET', 'ECONNREFUSED']],
  ['terminated', 'refusing', ['ECONNREFUSED']],
  ['closed', 'open', ['answered']],
  ['terminated', 'open', ['answered']],
]
test.each(learning)(
  'a connection that is %s while the driver reads types (%s to others then) is replaced, and no rejection is unhandled',
  async (how, refusing, outcomes) => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => void unhandled.push(error)
    process.on('unhandledRejection', note)
    try {
      line.endAt('pg_catalog.pg_type', how, refusing)
      expect(outcomes).toContain(await codeOf(one()))
      if (refusing === 'refusing') await line.open()
      expect(await client.sql`select array[1, 2] as two`).toEqual([{ two: [1, 2] }])
      expect(unhandled).toEqual([])
    } finally {
      process.off('unhandledRejection', note)
    }
  },
)

test('a transaction that continues after its connection was lost does nothing on the new one', async () => {
  await client.sql`create temporary table kept (n int)`.catch(() => {})
  const lost = Promise.withResolvers<void>()
  const again = Promise.withResolvers<void>()
  const late = Promise.withResolvers<string | undefined>()
  const transaction = client.sql.begin(async (tx) => {
    await tx`select 1`
    await line.end('closed')
    lost.resolve()
    await again.promise
    late.resolve(await codeOf(tx`insert into kept values (1)`))
  })
  const ended = codeOf(transaction)
  await lost.promise
  await ended
  await client.sql`create temporary table kept (n int)`
  again.resolve()
  expect(await late.promise).toBe('CONNECTION_CLOSED')
  expect(await client.sql`select n from kept`).toHaveLength(0)
})

test('when the server stalls, running and queued statements fail, and new ones work once it answers', async () => {
  await one()
  line.silence()
  const asked = await Promise.all(Array.from({ length: 150 }, async () => await codeOf(client.sql`select 1`)))
  expect(asked).not.toContain('answered')
  // New connections stall as well.
  expect(await codeOf(client.sql`select 1`)).not.toBe('answered')
  line.speak()
  expect(await one()).toBe(1)
})

test('a request whose statement had no answer is not made to wait for its others, on another pool either; those of others are', async () => {
  const limits = { statementMs: 3000, lockMs: 0, idleTransactionMs: 0 }
  const sessions = connect(line.url, 1, limits)
  try {
    await Promise.all([one(), sessions.sql`select 1`])
    line.silence()
    await asOneRequest(async () => {
      expect(await codeOf(client.sql`select 1`)).toBe('QUERY_TIMEOUT')
      const order: string[] = []
      const ask = async (who: string) => {
        expect(await codeOf(sessions.sql`select 1`)).toBe('QUERY_TIMEOUT')
        order.push(who)
      }
      await Promise.all([asOneRequest(async () => await ask('another request')), ask('the same request')])
      expect(order).toEqual(['the same request', 'another request'])
    })
    line.speak()
    expect(await one()).toBe(1)
  } finally {
    await sessions.close()
  }
})

test('the server cancels a statement that takes too long, and the connection stays', async () => {
  const pid = async () => (await client.sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid
  const before = await pid()
  expect(await codeOf(client.sql`select pg_sleep(30)`)).toBe('57014')
  expect(await pid()).toBe(before)
})

test('the server ends a transaction that idles', async () => {
  const transaction = client.sql.begin(async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = '50ms'`
    await new Promise((resolve) => setTimeout(resolve, 10_000).unref())
  })
  expect(await codeOf(transaction)).toBe('CONNECTION_CLOSED')
  expect(await one()).toBe(1)
})
