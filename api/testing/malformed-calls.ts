import { connect, type Socket } from 'node:net'
import { mcpPath } from '../mcp-endpoint.ts'
import { restTable } from '../rest.ts'
import { appRouter } from '../router.ts'
import { messageHeaders, someBody, someMessage } from './malformed-bodies.ts'
import type { Random } from './random.ts'

/** How the bytes of a call are sent. */
type Sending = {
  /** Written one after the other; an empty one waits until the previous one is sent. */
  pieces: Buffer[]
  /** Disconnects after the last piece instead of waiting for the answer: by a reset, or by half-closing. */
  afterwards: 'wait' | 'reset' | 'end'
}

/** A call to send; `what` describes it. */
type MalformedCall = { what: string } & Sending

/** The server's answer; no status where either side disconnected. */
export type Outcome = { status: number | undefined; text: string; timedOut: boolean }

const fillers = [
  '00000000-0000-0000-0000-000000000000',
  'nonsense',
  '%00',
  '%',
  '%zz',
  '%F0%9F',
  '..',
  '.',
  '%2e%2e%2f',
  '%5c',
  "';--",
  '*',
  '😀',
  'x'.repeat(300),
  'x'.repeat(5000),
  '0',
  '-1',
  '1e999',
  'null',
  '__proto__',
  'constructor',
  '[]',
  '{}',
  ',',
  '/',
  '//',
  '%2f',
  'facebook',
  'tiktok',
]
const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'PROPFIND',
  'LOCK',
  'SEARCH',
  'get',
  'M-SEARCH',
]
const types = [
  'application/json',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'multipart/form-data; boundary="',
  'application/octet-stream',
  'application/offset+octet-stream',
  'application/jsonl',
  '/',
  '',
  'text/event-stream',
]
const strangeHeaders = [
  'Accept: text/event-stream',
  'Accept: application/jsonl',
  'trpc-accept: application/jsonl',
  'Accept: */*;q=nothing',
  'Accept-Encoding: br;q=0, gzip',
  'Range: bytes=-',
  'Range: bytes=5-2,9-',
  'If-None-Match: W/"x",*',
  'If-Modified-Since: never',
  'X-Forwarded-For: ,,,::1,999.1.1.1',
  'X-Forwarded-Proto: https,http',
  'Upgrade: websocket',
  'Connection: upgrade',
  'Expect: nothing',
  'Origin: null',
  'Origin: :::',
  'Sec-Fetch-Site: cross-site',
  'Idempotency-Key: x',
  'Idempotency-Key: ' + 'k'.repeat(4000),
  'Tus-Resumable: 1.0.0',
  'Upload-Length: 5',
  'Upload-Length: -1',
  'Upload-Length: 99999999999999999999',
  'Upload-Offset: 0',
  'Upload-Offset: x',
  'Upload-Metadata: filename ,,filetype !!!',
  'Upload-Metadata: filename YS5qcGc=,filetype aW1hZ2UvanBlZw==',
  'Upload-Concat: final;',
  'Upload-Defer-Length: 1',
  'Cookie: flashsheet_session',
  'Cookie: flashsheet_session=%ZZ; =;;',
  'Stripe-Signature: t=1,v1=',
  'Stripe-Signature: x',
  'TikTok-Signature: t=1,s=2',
  'Content-Encoding: gzip',
  'Content-Language: \u00ff',
  'Authorization: Basic =',
  'Last-Event-ID: {}',
  'X-HTTP-Method-Override: PATCH',
  'Transfer-Encoding: identity',
  'Date: 0',
  'User-Agent: ' + 'u'.repeat(3000),
]
const hosts = ['localhost', '[::1]', 'a..b', 'x'.repeat(300), '-', 'user@host', 'host:99999', 'localhost:', '%00', '']
const procedures = Object.keys(appRouter._def.procedures).filter(
  (path) => !/logOut|logout|deleteAccount|askDeletion/i.test(path),
)
const rows = restTable.filter(({ path }) => path !== '/api/users/logout')
const pages = [
  '/',
  '/s/x',
  '/s/x/book',
  '/s/x/contact',
  '/s/x/gallery',
  '/s//',
  '/s/%00/a',
  '/S/X',
  '/booking/x',
  '/booking/',
  '/robots.txt',
  '/sitemap.xml',
  '/site-assets/x.js',
  '/files/public/x',
  '/files/gallery/x',
  '/files/media/x/original',
  '/healthz',
  '/login',
  '/assets/x',
  '/nothing',
  '/api',
  '/api/',
  '/trpc',
  '/trpc/',
]

const framings = [
  'length',
  'length',
  'length',
  'chunked',
  'chunked',
  'none',
  'too long',
  'too short',
  'broken chunks',
  'nonsense',
] as const
/** Framings after which the server may correctly wait for more bytes. */
const incompleteFramings = ['too long', 'broken chunks', 'nonsense']

/** The credentials that calls may use: cookies of sessions, and API keys. */
export type Credentials = { cookies: readonly string[]; keys: readonly string[] }

/** Generates a random call. */
export function malformedCall(random: Random, host: string, { cookies, keys }: Credentials): MalformedCall {
  const { pick, oneIn, below } = random
  const { method, path } = target(random)
  const isMessage = path === mcpPath
  const lines: string[] = []
  if (!oneIn(60)) lines.push(`Host: ${oneIn(40) ? pick(hosts) : host}`)
  if (!oneIn(3) && cookies.length > 0) lines.push(`Cookie: ${pick(cookies)}`)
  for (let n = below(4); n > 0; n--) lines.push(pick(strangeHeaders))
  if (isMessage) lines.push(...messageHeaders(random, keys))
  const body = oneIn(6) ? Buffer.alloc(0) : isMessage && !oneIn(8) ? someMessage(random) : someBody(random)
  if (!oneIn(8)) lines.push(`Content-Type: ${oneIn(isMessage ? 12 : 3) ? pick(types) : 'application/json'}`)
  const framing = isMessage && !oneIn(3) ? 'length' : pick(framings)
  // Random bytes instead of a request; some may look like the start of one.
  const isNoise = oneIn(150)
  const afterwards = isNoise
    ? 'end'
    : oneIn(12)
      ? pick(['reset', 'end'] as const)
      : incompleteFramings.includes(framing)
        ? pick(['reset', 'end', 'end', 'end'] as const)
        : 'wait'
  const what = `${method} ${path.slice(0, 120)} ${framing} ${afterwards} ${JSON.stringify(lines).slice(0, 300)} ${body.subarray(0, 80).toString('latin1')}`
  const framed = frame(random, framing, body)
  const head = Buffer.from(
    `${method} ${path} HTTP/1.${oneIn(50) ? 0 : 1}\r\n${[...lines, ...framed.lines, 'Connection: close'].join('\r\n')}\r\n\r\n`,
    'utf8',
  )
  let bytes = Buffer.concat([head, framed.bytes])
  if (afterwards === 'reset' && oneIn(2)) bytes = bytes.subarray(0, below(bytes.length) + 1)
  if (isNoise)
    bytes = Buffer.from(
      pick([
        '\r\n\r\n',
        'GET\r\n\r\n',
        'GET  HTTP/1.1\r\n\r\n',
        '\u0016\u0003\u0001\u0002',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        'GET /s/x HTTP/9.9\r\n\r\n',
        `GET /${'a'.repeat(70_000)} HTTP/1.1\r\n\r\n`,
      ]),
    )
  return { what, pieces: oneIn(4) ? inPieces(random, bytes) : [bytes], afterwards }
}

function target({ pick, oneIn, below }: Random): { method: string; path: string } {
  const query = oneIn(3)
    ? `?${pick(['input={}', 'input=%00', 'input={"id":1}', 'batch=1&input={}', 'batch=1&input=[', 'limit=-1&page=%00', 'code=%F0&state=', 'from=x&to=', '%', '?&=&', 'a'.repeat(3000), 'connectionParams=[', 'lastEventId=%00'])}`
    : ''
  const kind = below(11)
  if (kind === 10) return { method: oneIn(8) ? pick(methods) : 'POST', path: mcpPath }
  if (kind < 4) {
    const names = Array.from({ length: oneIn(4) ? below(25) + 1 : 1 }, () =>
      oneIn(20) ? pick(fillers) : pick(procedures),
    )
    const batch = names.length > 1 ? (query === '' ? '?batch=1' : `${query}&batch=1`) : query
    return { method: oneIn(4) ? pick(methods) : pick(['GET', 'POST']), path: `/trpc/${names.join(',')}${batch}` }
  }
  if (kind < 8) {
    const row = pick(rows)
    return {
      method: oneIn(4) ? pick(methods) : row.method,
      path: row.path.replaceAll(/:\w+(?:\{[^}]*\})?/g, () => pick(fillers).replaceAll(/[\s😀]/gu, '_')) + query,
    }
  }
  const page = pick(pages) + (oneIn(3) ? `/${pick(fillers).replaceAll(/[\s😀]/gu, '_')}` : '')
  return { method: oneIn(3) ? pick(methods) : 'GET', path: page + query }
}

function frame({ pick, below }: Random, framing: string, body: Buffer): { lines: string[]; bytes: Buffer } {
  switch (framing) {
    case 'length':
      return { lines: [`Content-Length: ${body.length}`], bytes: body }
    case 'chunked': {
      const at = below(body.length + 1)
      const parts = [body.subarray(0, at), body.subarray(at)].filter((part) => part.length > 0)
      return {
        lines: ['Transfer-Encoding: chunked'],
        bytes: Buffer.concat([
          ...parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
          Buffer.from('0\r\n\r\n'),
        ]),
      }
    }
    case 'none':
      return { lines: [], bytes: Buffer.alloc(0) }
    case 'too long':
      return { lines: [`Content-Length: ${body.length + 1 + below(5000)}`], bytes: body }
    case 'too short':
      return { lines: [`Content-Length: ${Math.floor(body.length / 2)}`], bytes: body }
    case 'broken chunks':
      return {
        lines: ['Transfer-Encoding: chunked'],
        bytes: Buffer.concat([
          Buffer.from(pick(['zz\r\n', '-1\r\n', 'ffffffffffffffffff\r\n', '5\r\nab\r\n', '\r\n'])),
          body,
        ]),
      }
    default:
      return {
        lines: [
          pick([
            'Content-Length: -5',
            'Content-Length: x',
            'Content-Length: 1\r\nContent-Length: 2',
            'Content-Length: 5\r\nTransfer-Encoding: chunked',
            'Transfer-Encoding: gzip, chunked',
            'Transfer-Encoding: x',
          ]),
        ],
        bytes: body,
      }
  }
}

function inPieces({ below }: Random, bytes: Buffer): Buffer[] {
  const at = below(bytes.length + 1)
  const end = at + below(bytes.length - at + 1)
  return [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)]
}

const answerTimeoutMs = 20_000

/** Sends a call on a connection of its own and reads the answer. */
export async function sendCall(port: number, call: MalformedCall): Promise<Outcome> {
  return await new Promise((resolve) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let text = ''
    const done = (timedOut: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
      resolve({ status: status === undefined ? undefined : Number(status), text: text.slice(0, 2000), timedOut })
    }
    const timer = setTimeout(() => done(true), answerTimeoutMs)
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      if (text.length < 2000) text += chunk
      // An event stream does not end by itself.
      if (/^HTTP\/1\.1 200[^]*text\/event-stream/i.test(text)) done(false)
    })
    socket.on('error', () => done(false)).on('close', () => done(false))
    const [first = Buffer.alloc(0), ...rest] = call.pieces
    const send = (piece: Buffer, left: Buffer[]) => {
      socket.write(piece, () => {
        const [next, ...others] = left
        if (next) setImmediate(send, next, others)
        else if (call.afterwards === 'reset') socket.resetAndDestroy()
        else if (call.afterwards === 'end') socket.end()
      })
    }
    socket.once('connect', () => send(first, rest))
  })
}
