import { RegisterClientInput } from '@flashsheet/contracts/assistants/schema'
import { ErrorBody } from '@flashsheet/contracts/errors/schema'
import { webhookTypes } from '@flashsheet/contracts/webhooks/limits'
import { webhookBodies } from '@flashsheet/contracts/webhooks/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ownExamples } from './openapi/response-shapes.ts'
import { bodyExamples } from './openapi/body-examples.ts'
import { restTable } from './rest.ts'
import { createArtist } from './testing/actors.ts'
import { startTestApp, type TestApp } from './testing/app.ts'

type Operation = {
  operationId: string
  security: Record<string, string[]>[]
  parameters?: { name?: string; in?: string; example?: string | number; $ref?: string }[]
  requestBody?: { content: Record<string, { schema: { properties: Record<string, unknown> }; example?: object }> }
  responses: Record<string, { content?: Record<string, { schema: unknown; example?: unknown }>; $ref?: string }>
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

let app: TestApp
let document: Document
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
  document = (await app.visitor().get<Document>('/api/openapi.json')).body
})
afterAll(async () => await app.stop())

const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods))

test('describes exactly the rows of the REST table', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  // The tus protocol asks with HEAD, which the table has as GET.
  const rows = restTable.map(
    ({ method, path }) =>
      `${method === 'GET' && path === '/api/uploads/:id' ? 'HEAD' : method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  )
  expect(document.openapi).toBe('3.1.0')
  expect(described.toSorted()).toEqual(rows.toSorted())
})

test('every operation has a unique name', () => {
  const names = operations().map(({ operationId }) => operationId)
  expect(names.filter((name, at) => names.indexOf(name) !== at || !/^[a-zA-Z]+$/.test(name))).toEqual([])
})

test('describes every type of webhook with a unique name', () => {
  expect(Object.keys(document.webhooks)).toEqual([...webhookTypes])
  const names = Object.values(document.webhooks).map(({ post }) => post?.operationId ?? '')
  expect(names).toContain('onAccountReconnectNeeded')
  expect(new Set([...names, ...operations().map(({ operationId }) => operationId)]).size).toBe(
    names.length + operations().length,
  )
  expect(document.webhooks['post.posted']?.['post']?.requestBody?.content['application/json']?.schema).toMatchObject({
    properties: { type: { const: 'post.posted' }, data: { $ref: '#/components/schemas/WebhookPost' } },
    required: ['type', 'timestamp', 'data'],
  })
})

test('every reference resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to)
  const leadsTo = (to: string) =>
    to.startsWith('#/') &&
    to
      .slice(2)
      .split('/')
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document) !== undefined
  expect(references.length).toBeGreaterThan(100)
  expect(references.filter((to) => !leadsTo(to))).toEqual([])
})

test('the example of each refusal is valid: with its status, and in both formats', () => {
  type Refusal = { content: Record<string, { example: unknown }> }
  const Problem = ErrorBody.extend({ type: z.string(), title: z.string().min(1), status: z.int(), detail: z.string() })
  const refusals = Object.entries(document.components['responses'] ?? {}) as [string, Refusal][]
  expect(refusals.map(([name]) => name)).toEqual(
    [400, 401, 403, 404, 409, 412, 413, 415, 423, 429, 502, 503, 507].map((at) => `Refusal${at}`),
  )
  const codes = refusals.map(([name, { content }]) => {
    const body = ErrorBody.parse(content['application/json']?.example)
    const problem = Problem.parse(content['application/problem+json']?.example)
    expect(problem).toMatchObject({ ...body, status: Number(name.replace('Refusal', '')), detail: body.message })
    return body.code
  })
  expect(codes).toEqual([
    'invalid',
    'key',
    'scope',
    'notFound',
    'conflict',
    'invalid',
    'tooLarge',
    'invalid',
    'locked',
    'tooMany',
    'upstream',
    'unavailable',
    'noRoom',
  ])
})

test('every parameter in a path or a query has an example that its row accepts', () => {
  let read = 0
  for (const row of restTable) {
    const operation = document.paths[row.path.replaceAll(/:(\w+)/g, '{$1}')]?.[row.method.toLowerCase()]
    const parameters = (operation?.parameters ?? []).filter(({ in: where }) => where === 'path' || where === 'query')
    const name = `${row.method} ${row.path}`
    expect({ name, without: parameters.filter(({ example }) => example === undefined) }).toEqual({ name, without: [] })
    read += parameters.length
    if (row.method !== 'GET' || !row.input) continue
    // A query is text until its row parses it.
    const sent = Object.fromEntries(parameters.map((one) => [one.name, String(one.example)]))
    expect({ name, problem: row.input.safeParse(sent).error?.message }).toEqual({ name, problem: undefined })
  }
  expect(read).toBeGreaterThan(60)
})

test('every type of webhook has an example of its body that matches its contract exactly', () => {
  for (const type of webhookTypes) {
    const example = document.webhooks[type]?.['post']?.requestBody?.content['application/json']?.example
    const result = webhookBodies[type].safeParse(example)
    expect({ type, problem: result.error?.message, example: result.data }).toEqual({
      type,
      problem: undefined,
      example,
    })
  }
})

test('every operation that takes JSON has an example that its schema accepts', () => {
  const id = '0190a0a0-0000-7000-8000-000000000000'
  const asked = restTable.flatMap((row) => {
    const path = row.path.replaceAll(/:(\w+)/g, '{$1}')
    const body = document.paths[path]?.[row.method.toLowerCase()]?.requestBody?.content['application/json']
    return body ? [{ row, example: body.example }] : []
  })
  expect(asked.length).toBeGreaterThan(25)
  for (const { row, example } of asked) {
    const inPath = Object.fromEntries([...row.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, id]))
    const input = row.takes === 'client' ? RegisterClientInput : row.input
    const result = input?.safeParse({ ...example, ...inPath })
    expect({
      row: `${row.method} ${row.path}`,
      example,
      isTaken: result?.success,
      problem: result?.error?.message,
    }).toEqual({
      row: `${row.method} ${row.path}`,
      example: expect.any(Object),
      isTaken: true,
      problem: undefined,
    })
  }
  // An example without a row would never be shown.
  const names = restTable.map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(bodyExamples).filter((name) => !names.includes(name))).toEqual([])
})

test('every operation that answers JSON has an example that matches its contract exactly', () => {
  const without: string[] = []
  let read = 0
  for (const row of restTable) {
    const contract = 'safeParse' in row.answer ? row.answer : 'json' in row.answer ? row.answer.json : undefined
    if (!contract) continue
    const name = `${row.method} ${row.path}`
    const responses = document.paths[row.path.replaceAll(/:(\w+)/g, '{$1}')]?.[row.method.toLowerCase()]?.responses
    const good = Object.entries(responses ?? {}).find(([status]) => Number(status) < 400)?.[1]
    const example = good?.content?.['application/json']?.example
    if (example === undefined) {
      without.push(name)
      continue
    }
    read += 1
    const result = contract.safeParse(example)
    expect({ name, problem: result.error?.message, example: result.data }).toEqual({
      name,
      problem: undefined,
      example,
    })
  }
  expect(read).toBeGreaterThan(70)
  // Documents of a standard, which are their own example.
  expect(without).toEqual([
    'GET /.well-known/oauth-protected-resource',
    'GET /.well-known/oauth-protected-resource/mcp',
    'GET /.well-known/oauth-authorization-server',
    'GET /api/openapi.json',
  ])
  const names = restTable.map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(ownExamples).filter((name) => !names.includes(name))).toEqual([])
})

test('every operation that creates something can be repeated safely', () => {
  const ways = Object.fromEntries(
    restTable
      .filter(({ creates }) => creates)
      .map(({ method, path }) => {
        const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
        const takesKey = operation?.parameters?.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey')
        return [`${method} ${path}`, takesKey === true]
      }),
  )
  expect(ways).toMatchObject({ 'POST /api/posts': true, 'POST /api/websitebuilder/image': true })
  expect(Object.keys(ways).filter((name) => !ways[name])).toEqual([
    // The key in its answer is not stored, so it cannot be returned again.
    'POST /api/keys',
    // An upload that is not continued creates no media item.
    'POST /api/uploads',
    // A draft creates at most one post, however often it is sent.
    'POST /api/drafts/:draftId/post',
  ])
})

describe('an operation', () => {
  test('names the scope that a key needs', () => {
    expect(document.paths['/api/posts']?.['post']?.security).toEqual([{ apiKey: ['posts:write'] }, { session: [] }])
    expect(document.paths['/api/keys']?.['post']?.security).toEqual([{ session: [] }])
    expect(document.paths['/api/subscriptions/plans']?.['get']?.security).toEqual([{ apiKey: [] }, { session: [] }, {}])
  })

  test('describes where each part of its input is sent', () => {
    const update = document.paths['/api/posts/{postId}']?.['put']
    expect(update?.parameters).toMatchObject([{ name: 'postId', in: 'path' }])
    expect(Object.keys(update?.requestBody?.content['application/json']?.schema.properties ?? {})).toEqual([
      'scheduledAt',
      'leavesQueue',
      'variants',
    ])
    const list = document.paths['/api/posts']?.['get']
    expect(list?.parameters?.map(({ name, in: where }) => `${where} ${name}`)).toEqual([
      'query from',
      'query to',
      'query limit',
      'query cursor',
    ])
    expect(document.paths['/api/posts']?.['post']?.parameters).toEqual([
      { $ref: '#/components/parameters/IdempotencyKey' },
    ])
  })

  test('describes its answer and its refusals', () => {
    const responses = document.paths['/api/posts']?.['get']?.responses
    expect(responses?.['200']?.content?.['application/json']?.schema).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Post' },
    })
    expect(responses?.['429']).toEqual({ $ref: '#/components/responses/Refusal429' })
    const statusesOf = (path: string, method: string) =>
      Object.keys(document.paths[path]?.[method]?.responses ?? {}).map(Number)
    expect(statusesOf('/api/posts', 'get')).toEqual([200, 400, 401, 403, 429, 503])
    expect(statusesOf('/api/media/upload', 'post')).toEqual([201, 400, 401, 403, 409, 413, 429, 503, 507])
    const piece = [204, 400, 401, 403, 404, 409, 412, 413, 415, 423, 429, 503, 507]
    expect(statusesOf('/api/uploads/{id}', 'patch')).toEqual(piece)
  })

  const unknownIds = { ids: ['01890000-0000-7000-8000-000000000000'] }
  test.each([
    ['PUT', '/api/users/profile', { _id: unknownIds.ids[0] }, 404],
    ['GET', '/api/subscriptions/current', undefined, 404],
    ['POST', '/api/subscriptions/cancel', undefined, 404],
    ['POST', '/api/subscriptions/reactivate', undefined, 404],
    ['DELETE', '/api/media', unknownIds, 404],
    ['POST', '/api/websitebuilder/gallery', unknownIds, 404],
    ['GET', '/api/appointments/booked?domainName=nobody&date=2099-01-01', undefined, 404],
    ['POST', '/api/webhooks/stripe', undefined, 400],
    ['POST', '/api/webhooks/tiktok', undefined, 400],
    ['POST', '/api/webhooks/meta/deauthorize', undefined, 400],
    ['POST', '/api/webhooks/meta/data-deletion', undefined, 400],
  ])('lists the status of a real refusal: %s %s', async (method, address, body, status) => {
    const [path = ''] = address.split('?')
    const artist = await createArtist(app, { plan: path.startsWith('/api/subscriptions') ? null : 'complete-shading' })
    const init = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    expect((await artist.fetch(address, { method, ...init })).status).toBe(status)
    expect(document.paths[path]?.[method.toLowerCase()]?.responses).toHaveProperty(String(status))
  })

  test('lists the refusal of an outside service', async () => {
    const artist = await createArtist(app, { plan: null })
    // Without the sandbox Stripe does not answer.
    const refused = await artist.post('/api/subscriptions/create-checkout-session', { plan: 'complete-shading' })
    expect(refused.status).toBe(502)
    const operationsThatCallOut = [
      ['/api/subscriptions/create-checkout-session', 'post'],
      ['/api/subscriptions/cancel', 'post'],
      ['/api/subscriptions/reactivate', 'post'],
      ['/api/social-accounts/{id}/token', 'put'],
    ] as const
    for (const [path, method] of operationsThatCallOut)
      expect(document.paths[path]?.[method]?.responses).toHaveProperty('502')
  })

  test('names no type of a file, since it can be any picture or video', () => {
    const files = Object.entries(document.paths).filter(([path]) => path.startsWith('/files/'))
    expect(files.length).toBeGreaterThan(0)
    for (const [, methods] of files)
      expect(Object.keys(methods['get']?.responses['200']?.content ?? {})).toEqual(['*/*'])
  })

  test('describes forms and tus', () => {
    expect(Object.keys(document.paths['/api/media/upload']?.['post']?.requestBody?.content ?? {})).toEqual([
      'multipart/form-data',
    ])
    expect(Object.keys(document.paths['/api/uploads/{id}']?.['patch']?.requestBody?.content ?? {})).toEqual([
      'application/offset+octet-stream',
    ])
  })
})
