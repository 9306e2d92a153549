/** The part of JSON Schema that the reference shows. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  description?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  minimum?: number
  maximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
}

type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: string | number
}

type Content = Record<string, { schema?: JsonSchema; example?: unknown }>
type OrRef<T> = T | { $ref: string }
type ResponseDescription = { description: string; content?: Content }

type RawOperation = {
  operationId: string
  tags: string[]
  summary: string
  /** Absent for webhooks. */
  description?: string
  security: Record<string, string[]>[]
  parameters?: OrRef<Parameter>[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, OrRef<ResponseDescription>>
}

export type OpenApiDocument = {
  paths: Record<string, Record<string, RawOperation>>
  webhooks: Record<string, Record<string, RawOperation>>
  components: { schemas: Record<string, JsonSchema> }
}

/** An operation, with its `$ref`s resolved. */
export type Operation = Omit<RawOperation, 'parameters' | 'responses'> & {
  method: string
  path: string
  parameters: Parameter[]
  responses: Record<string, ResponseDescription>
}

/** Resolves a `$ref`; undefined if its target is missing. */
function resolveRef(document: OpenApiDocument, to: string): unknown {
  return to
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document)
}

function resolved<T extends object>(document: OpenApiDocument, value: OrRef<T>): T {
  return '$ref' in value ? (resolveRef(document, value.$ref) as T) : value
}

/** Resolves a schema's `$ref`; `name` is that of its component. */
export function resolveSchema(document: OpenApiDocument, schema: JsonSchema): { schema: JsonSchema; name?: string } {
  if (schema.$ref === undefined) return { schema }
  const name = schema.$ref.split('/').at(-1) ?? ''
  return { schema: resolveRef(document, schema.$ref) as JsonSchema, name }
}

/** The operations for API keys, then the webhooks, in the order of the document. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  const read = (paths: OpenApiDocument['paths']) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters ?? []).map((one) => resolved(document, one)),
        responses: Object.fromEntries(
          Object.entries(operation.responses).map(([status, answer]) => [status, resolved(document, answer)]),
        ),
      })),
    )
  const calls = read(document.paths).filter(({ security }) => security.some((one) => 'apiKey' in one))
  return [...calls, ...read(document.webhooks)]
}

/** Whether it is a call to an artist's own server, not to this API. */
export const isWebhook = ({ path }: Pick<Operation, 'path'>): boolean => !path.startsWith('/')

/** A short name of a type: `string`, `Post[]`, `"a" or "b"`. */
export function typeName(document: OpenApiDocument, schemaOrRef: JsonSchema): string {
  const { schema, name } = resolveSchema(document, schemaOrRef)
  if (name !== undefined) return name
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return [...new Set(alternatives.map((one) => typeName(document, one)))].join(' or ')
  if (schema.items) return `${typeName(document, schema.items)}[]`
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'anything')
  return schema.format ? `${type} (${schema.format})` : type
}

/** In examples, deeper objects are empty, because schemas may be recursive. */
const maxDepth = 5

/** An example value of a schema, with the required fields. */
export function exampleOf(document: OpenApiDocument, schemaOrRef: JsonSchema, depth = 0): unknown {
  const { schema } = resolveSchema(document, schemaOrRef)
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const first = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0]
  if (first) return exampleOf(document, first, depth)
  if (schema.items) return depth >= maxDepth ? [] : [exampleOf(document, schema.items, depth + 1)]
  if (schema.properties && depth < maxDepth) {
    const { properties } = schema
    return Object.fromEntries(
      (schema.required ?? []).flatMap((name) => {
        const inner = properties[name]
        return inner ? [[name, exampleOf(document, inner, depth + 1)]] : []
      }),
    )
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'string') return schema.format === 'date-time' ? '2030-01-01T12:00:00Z' : ''
  if (type === 'number' || type === 'integer') return schema.minimum ?? 0
  if (type === 'boolean') return false
  return type === 'array' ? [] : type === 'object' ? {} : null
}
