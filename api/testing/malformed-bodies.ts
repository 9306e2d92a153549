import { toolTable } from '../tools.ts'
import type { Random } from './random.ts'

const words = [
  '',
  'a',
  '\0',
  '\u0000b',
  '😀'.repeat(40),
  '\ud800',
  "' or 1=1 --",
  '%s%n',
  'x'.repeat(2000),
  '2030-02-31',
  '2030-05-06T25:00:00Z',
  '9:00am-10:00am',
  'America/Nowhere',
  'a@b.example',
  'complete-shading',
  'facebook',
  '1e400',
  '-0',
  'true',
]
const keys = [
  'id',
  'ids',
  'email',
  'password',
  'name',
  'token',
  'plan',
  'mediaIds',
  'variants',
  'scheduledAt',
  'postId',
  'postIds',
  'date',
  'timeSlot',
  'domainName',
  'page',
  'limit',
  'search',
  'gallery',
  'personalInfo',
  'branding',
  'images',
  'bookingType',
  'contact',
  'from',
  'to',
  'timeZone',
  'requestId',
  'platform',
  '__proto__',
  'constructor',
  'toString',
  '0',
  '',
]

const versions = ['2026-07-28', '2025-06-18', '2024-11-05', '1999-01-01', '', '\0']

/** Headers of an assistant, mostly with a valid key. */
export function messageHeaders({ pick, oneIn }: Random, keys: readonly string[]): string[] {
  const key = oneIn(12) || keys.length === 0 ? pick(['fs_x', 'fsa_x', '', 'Bearer', '\u00ff']) : pick(keys)
  return [
    `Authorization: Bearer ${key}`,
    ...(oneIn(10) ? [] : ['Accept: application/json, text/event-stream']),
    ...(oneIn(8) ? [`MCP-Protocol-Version: ${pick(versions).replaceAll('\0', '%00')}`] : []),
    ...(oneIn(6) ? [`Mcp-Session-Id: ${pick(['x', '00000000-0000-7000-8000-000000000000', ''])}`] : []),
    ...(oneIn(6) ? [`Mcp-Method: ${pick(['tools/call', 'tools/list', 'x'])}`] : []),
  ]
}

/** A message of the Model Context Protocol with errors, mostly in the arguments of a tool call. */
export function someMessage(random: Random): Buffer {
  const { pick, oneIn } = random
  const method = oneIn(3)
    ? pick<unknown>([
        'tools/list',
        'initialize',
        'ping',
        'notifications/initialized',
        'notifications/cancelled',
        'server/discover',
        'subscriptions/listen',
        'resources/list',
        'prompts/get',
        'logging/setLevel',
        'completion/complete',
        '__proto__',
        '',
        7,
        null,
      ])
    : 'tools/call'
  const tool = pick(toolTable)
  const fields = Object.keys(tool.described.inputSchema['properties'] ?? {}).filter(() => !oneIn(3))
  const toolCall = {
    name: oneIn(12) ? someValue(random, 1) : tool.name,
    arguments: oneIn(6) ? someValue(random, 3) : Object.fromEntries(fields.map((key) => [key, someValue(random, 2)])),
  }
  const meta = { 'io.modelcontextprotocol/protocolVersion': oneIn(3) ? someValue(random, 1) : pick(versions) }
  const params = oneIn(8) ? someValue(random, 2) : { ...toolCall, ...(oneIn(8) ? { _meta: meta } : {}) }
  const message = {
    jsonrpc: oneIn(15) ? someValue(random, 1) : '2.0',
    ...(oneIn(10) ? {} : { id: oneIn(5) ? someValue(random, 1) : 1 }),
    method,
    params,
  }
  return Buffer.from(JSON.stringify(oneIn(15) ? [message, message] : message))
}

export function someBody(random: Random): Buffer {
  const { pick, oneIn, below } = random
  switch (below(9)) {
    case 0:
      return Buffer.from(
        pick([
          '{',
          '{"a":',
          '[',
          'null',
          '[1,2]',
          '"x"',
          '7',
          'tru',
          '{"a":1}{"b":2}',
          '\ufeff{}',
          '{"json":{"a":1}}',
          '{"0":{},"1":{}}',
        ]),
      )
    case 1:
      return Buffer.from([0xff, 0xfe, 0x00, 0x80, below(256)])
    case 2:
      return Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="${pick(['files', 'file', 'x', ''])}"${oneIn(2) ? `; filename="${pick(['a.jpg', 'a.mp4', '', '../../x', '\u0000'])}"` : ''}\r\nContent-Type: ${pick(['image/jpeg', 'video/mp4', 'x'])}\r\n\r\n${'y'.repeat(below(5000))}${oneIn(2) ? '\r\n--x--\r\n' : ''}`,
      )
    case 3:
      return Buffer.from(
        pick([
          'email=a&password=b',
          'site={',
          'site=%7B%7D',
          '%',
          'day=2030-05-06&act=move&time=x',
          '&&&=',
          'signed_request=x.y',
        ]),
      )
    case 4:
      return Buffer.from('['.repeat(below(3000)))
    case 5:
      return oneIn(30) ? Buffer.alloc(1_100_000, 'a') : Buffer.alloc(below(3000), 0)
    default:
      return Buffer.from(JSON.stringify(someValue(random, 3)))
  }
}

function someValue(random: Random, depth: number): unknown {
  const { pick, oneIn, below } = random
  if (depth === 0 || oneIn(3))
    return pick<unknown>([
      ...words,
      null,
      true,
      false,
      0,
      -1,
      1.5,
      2 ** 53,
      -(2 ** 31) - 1,
      [],
      {},
      '00000000-0000-7000-8000-000000000000',
    ])
  if (oneIn(3)) return Array.from({ length: below(5) }, () => someValue(random, depth - 1))
  return Object.fromEntries(Array.from({ length: below(6) }, () => [pick(keys), someValue(random, depth - 1)]))
}
