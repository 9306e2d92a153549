import { RegisterClientInput } from '@flashsheet/contracts/assistants/schema'
import { keyScopes } from '@flashsheet/contracts/keys/limits'
import { scopeLabels } from '@flashsheet/contracts/keys/messages'
import { mediaTypes } from '@flashsheet/contracts/media/limits'
import { nameList } from '@flashsheet/contracts/networks'
import { webhookBodies } from '@flashsheet/contracts/webhooks/schema'
import { z } from 'zod'
import { responseExample, responseShapes } from './response-shapes.ts'
import { jsonOf, nameOf, shapeNames, statusOf, descriptionOf } from './response-descriptions.ts'
import { simplifyJsonSchema } from '../core/json-schema.ts'
import { rawRow, type RestRow, type BodyKind } from '../core/rest.ts'
import { bodyExamples } from './body-examples.ts'
import { header, type Json } from './header.ts'
import { refusalResponses, refusalsOf } from './refusals.ts'
import { webhooksOf } from './webhooks.ts'
import { parameterExample } from './parameter-examples.ts'

/** `GET /api/posts/:postId` is `getPostsByPostId`. */
function operationId({ method, path }: RestRow): string {
  const parts = path.replace(/^\/api/, '').split(/[/.-]/)
  const words = parts.filter(Boolean).map((part) => (part.startsWith(':') ? `By-${part.slice(1)}` : part))
  const camel = words.flatMap((word) => word.split('-')).map((word) => word[0]?.toUpperCase() + word.slice(1))
  return method.toLowerCase() + camel.join('')
}

/** The schemas of all answers and of the contracts `described`; they refer to each other by name. */
function schemasOf(described: readonly z.ZodType[]): { components: Json; of: (schema: z.ZodType) => unknown } {
  const registry = z.registry<{ id: string }>()
  for (const [id, shape] of Object.entries(responseShapes)) registry.add(shape, { id })
  const own = new Map<z.ZodType, string>()
  for (const schema of described) {
    if (registry.has(schema)) continue
    const id = `own-${own.size}`
    own.set(schema, id)
    registry.add(schema, { id })
  }
  const { schemas } = z.toJSONSchema(registry, { io: 'output', uri: (id) => `#/components/schemas/${id}` })
  return {
    components: Object.fromEntries(Object.keys(responseShapes).map((id) => [id, simplifyJsonSchema(schemas[id])])),
    of(schema) {
      const name = shapeNames.get(schema)
      if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
      return simplifyJsonSchema(schemas[own.get(schema) ?? ''])
    },
  }
}

type Input = { parameters: Json[]; body: Json | undefined }

const pathNames = (row: RestRow) => [...row.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** The fields of an input, divided into parameters and body. */
function inputOf(row: RestRow): Input {
  const inPath = pathNames(row)
  const schema = row.input
    ? (simplifyJsonSchema(z.toJSONSchema(row.input, { io: 'input', unrepresentable: 'any' })) as Json)
    : {}
  const fields = (schema['properties'] ?? {}) as Record<string, Json>
  const required = new Set((schema['required'] ?? []) as string[])
  const parameterOf = (name: string, place: 'path' | 'query', isRequired: boolean): Json => {
    const example = parameterExample(row.path, name)
    const described = { name, in: place, required: isRequired, schema: fields[name] ?? { type: 'string' } }
    return example === undefined ? described : { ...described, example }
  }
  const parameters = inPath.map((name) => parameterOf(name, 'path', true))
  const rest = Object.entries(fields).filter(([name]) => !inPath.includes(name))
  if (row.method === 'GET') {
    for (const [name] of rest) parameters.push(parameterOf(name, 'query', required.has(name)))
    return { parameters, body: undefined }
  }
  const repeats = rest.some(([name]) => name === 'requestId')
  if (repeats) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  const sent = rest.filter(([name]) => name !== 'requestId')
  if (sent.length === 0) return { parameters, body: undefined }
  const names = sent.map(([name]) => name).filter((name) => required.has(name))
  const body = {
    type: 'object',
    properties: Object.fromEntries(sent),
    ...(names.length > 0 ? { required: names } : {}),
  }
  return { parameters, body: { required: names.length > 0, content: { 'application/json': { schema: body } } } }
}

const bytes = (contentMediaType = 'application/octet-stream') => ({ type: 'string', contentMediaType })
const requiredBody = (type: string, schema: unknown, more: Json = {}): Json => ({
  required: true,
  content: { [type]: { schema, ...more } },
})
const formOf = (name: string, field: Json, types: readonly string[]) =>
  requiredBody(
    'multipart/form-data',
    { type: 'object', properties: { [name]: field }, required: [name] },
    { encoding: { [name]: { contentType: types.join(', ') } } },
  )

const texts = (names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
})
const oauthFields =
  'grant_type code redirect_uri code_verifier refresh_token client_id resource token token_type_hint'.split(' ')

/** Bodies that are not described by the input's schema. */
const bodies: Partial<Record<BodyKind, Json>> = {
  files: formOf('files', { type: 'array', items: bytes() }, mediaTypes),
  file: formOf('file', bytes(), ['image/jpeg', 'image/png', 'image/webp']),
  poster: requiredBody('image/*', bytes('image/jpeg')),
  form: requiredBody('application/x-www-form-urlencoded', texts(['site'])),
  oauth: requiredBody('application/x-www-form-urlencoded', texts(oauthFields)),
  client: requiredBody('application/json', simplifyJsonSchema(z.toJSONSchema(RegisterClientInput, { io: 'input' }))),
}

/** A row's body with its example: `json`, unless `bodies` has its kind. */
function bodyOf(row: RestRow, json: Json | undefined): Json | undefined {
  const body = bodies[row.takes ?? 'nothing'] ?? json
  const example = bodyExamples[nameOf(row)]
  if (!body || !example) return body
  const content = Object.entries(body['content'] as Record<string, Json>)
  return { ...body, content: Object.fromEntries(content.map(([type, described]) => [type, { ...described, example }])) }
}

/** The headers of the tus protocol, by method. */
function tusParameters({ method }: RestRow): Json[] {
  if (method === 'OPTIONS') return []
  const version = header('Tus-Resumable', 'The version of the protocol.', true, { const: '1.0.0' })
  const count = { type: 'integer', minimum: 0 }
  if (method === 'POST')
    return [
      version,
      header('Upload-Length', 'Bytes of the file.', true, count),
      header('Upload-Metadata', '`filename` and `filetype`, each followed by its value in base 64.', true),
    ]
  return method === 'PATCH' ? [version, header('Upload-Offset', 'Bytes that have arrived.', true, count)] : [version]
}

const tusBody = requiredBody('application/offset+octet-stream', bytes())
const answerHeader = (description: string, type = 'string') => ({ description, schema: { type } })
const tusHeaders: Partial<Record<string, Json>> = {
  POST: { Location: answerHeader('Where the pieces go.') },
  PATCH: {
    'Upload-Offset': answerHeader('Bytes that have arrived.', 'integer'),
    'Media-Id': answerHeader('With the last piece: the item of the library.'),
  },
  GET: {
    'Upload-Offset': answerHeader('Bytes that have arrived.', 'integer'),
    'Media-Id': answerHeader('Once it is in the library.'),
  },
}

function successResponse(row: RestRow, schema: unknown, isPaged: boolean): [status: string, answer: Json] {
  const { answer } = row
  const contract = jsonOf(answer)
  const example = contract && responseExample(nameOf(row), contract)
  const headers = {
    ...(row.takes === 'tus' ? tusHeaders[row.method] : {}),
    ...(isPaged ? { Link: answerHeader('`rel="next"`: the next page, if there is one.') } : {}),
  }
  const content =
    schema !== undefined
      ? { 'application/json': { schema, ...(example === undefined ? {} : { example }) } }
      : 'is' in answer && answer.is !== 'nothing'
        ? { [answer.is === 'html' ? 'text/html' : '*/*']: { schema: bytes() } }
        : undefined
  return [
    String(statusOf(row)),
    {
      description: descriptionOf(row).answers,
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(content ? { content } : {}),
    },
  ]
}

function securityOf({ guard, key }: RestRow): Json[] {
  const byKey = key === 'never' ? [] : [{ apiKey: key === 'any' ? [] : [key] }]
  return [...byKey, { session: [] }, ...(guard === 'public' ? [{}] : [])]
}

function operationOf(row: RestRow, schema: unknown): Json {
  const words = descriptionOf(row)
  const { parameters, body } = inputOf(row)
  const isTus = row.takes === 'tus'
  const sent = isTus && row.method === 'PATCH' ? tusBody : bodyOf(row, body)
  const isPaged = parameters.some(({ name }) => name === 'cursor')
  const all = [...parameters, ...(isTus ? tusParameters(row) : [])]
  const [status, success] = successResponse(row, schema, isPaged)
  const keyRequirement =
    row.key === 'never' ? 'No API key opens this.' : row.key === 'any' ? '' : `API keys need \`${row.key}\`.`
  return {
    operationId: operationId(row),
    tags: [row.path.split('/')[2] ?? ''],
    summary: words.does.split(/(?<=[.:])\s/)[0],
    description: [words.does, words.takes && `Takes ${words.takes}.`, keyRequirement].filter(Boolean).join(' '),
    security: securityOf(row),
    ...(all.length > 0 ? { parameters: all } : {}),
    ...(sent ? { requestBody: sent } : {}),
    responses: { [status]: success, ...refusalsOf(row, all.length > 0 || sent !== undefined) },
  }
}

const problem = {
  description: 'RFC 9457, for callers who accept application/problem+json.',
  allOf: [
    { $ref: '#/components/schemas/ErrorBody' },
    {
      type: 'object',
      properties: {
        type: { type: 'string' },
        title: { type: 'string' },
        status: { type: 'integer' },
        detail: { type: 'string' },
        instance: { type: 'string' },
      },
      required: ['type', 'title', 'status', 'detail'],
    },
  ],
}

const intro = `Scheduling and publishing to ${nameList()}, the library, the website and bookings of an artist.

Send an API key with each call: \`Authorization: Bearer fs_live_…\`. Artists make keys in Settings, under Developers.

Large files travel by tus 1.0.0 (https://tus.io): POST /api/uploads, then PATCH until all bytes are there; the last piece answers \`Media-Id\`.`

/** The OpenAPI 3.1 document of the REST table. */
export function openApiOf(table: readonly RestRow[], publicUrl: string): Json {
  const answers = table.flatMap(({ answer }) => jsonOf(answer) ?? [])
  const schemas = schemasOf([...answers, ...Object.values(webhookBodies)])
  const paths: Record<string, Json> = {}
  for (const row of table) {
    const answer = jsonOf(row.answer)
    const method = descriptionOf(row).method.toLowerCase()
    const path = row.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [method]: operationOf(row, answer && schemas.of(answer)) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Flashsheet', version: '1', description: intro },
    servers: [{ url: publicUrl }],
    paths,
    webhooks: webhooksOf(schemas.of),
    components: {
      schemas: { ...schemas.components, Problem: problem },
      responses: refusalResponses,
      parameters: {
        IdempotencyKey: header(
          'Idempotency-Key',
          'Of your choice. The same key with the same content answers the first result; with other content it is 409.',
          false,
          { type: 'string', minLength: 1, maxLength: 200 },
        ),
      },
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'fs_live_…',
          description: keyScopes.map((scope) => `\`${scope}\`: ${scopeLabels[scope]}`).join('\n\n'),
        },
        session: { type: 'apiKey', in: 'cookie', name: 'flashsheet_session' },
      },
    },
  }
}

const documents = new Map<string, Json>()

/** The row that answers the document of the table. */
export const openApiRow = (table: () => readonly RestRow[]): RestRow =>
  rawRow('GET /api/openapi.json', 'public', 'any', {
    answer: { status: 200, json: z.looseObject({ openapi: z.literal('3.1.0') }) },
    run: async (ctx, c) => {
      const { publicUrl } = ctx.config
      const document = documents.get(publicUrl) ?? openApiOf(table(), publicUrl)
      documents.set(publicUrl, document)
      return await Promise.resolve(c.json(document))
    },
  })
