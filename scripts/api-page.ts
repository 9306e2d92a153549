import { z } from 'zod'
import type { RestRow } from '../api/core/rest.ts'
import { restTable } from '../api/rest.ts'
import { responseShapes as shapes } from '../api/openapi/response-shapes.ts'
import { jsonOf, nameOf, statusOf, descriptionOf } from '../api/openapi/response-descriptions.ts'
import { pathDescriptions } from '../api/openapi/path-descriptions.ts'

type Json = z.core.JSONSchema.JSONSchema
type Field = { name: string; kind: string; isRequired: boolean }

const asSchema = (value: z.core.JSONSchema._JSONSchema | undefined): Json => (typeof value === 'object' ? value : {})

function textKind(schema: Json): string {
  if (schema.enum) return schema.enum.map((one) => `\`${String(one)}\``).join(', ')
  if (schema.format === 'uuid') return 'UUID'
  if (schema.format === 'date') return 'day'
  // Instants are patterns, with and without seconds.
  if (schema.format === 'date-time' || schema.pattern?.includes('T(?:') === true) return 'instant'
  const { minLength = 0, maxLength } = schema
  if (maxLength === undefined) return 'text'
  return minLength > 0 ? `text, ${minLength} to ${maxLength} characters` : `text, at most ${maxLength} characters`
}

function numberKind(schema: Json, word: string): string {
  const { minimum, exclusiveMinimum, maximum, multipleOf } = schema
  const isOpen = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
  if (exclusiveMinimum !== undefined && !isOpen) return `${word}, above ${exclusiveMinimum}, at most ${maximum}`
  if (minimum === undefined || isOpen || minimum <= Number.MIN_SAFE_INTEGER) return word
  const range = `${word}, ${minimum} to ${maximum}`
  return multipleOf === undefined ? range : `${range}, a multiple of ${multipleOf}`
}

/** A short description of a field's type. */
function kindOf(schema: Json): string {
  // Zod makes such a list for a plain type that may be null.
  const types = [schema.type].flat()
  const alternatives =
    schema.anyOf?.map(asSchema) ?? (types.length > 1 ? types.map((type) => ({ ...schema, type })) : undefined)
  if (alternatives) return [...new Set(alternatives.map(kindOf))].join(' or ')
  switch (schema.type) {
    case 'string':
      return textKind(schema)
    case 'integer':
    case 'number':
      return numberKind(schema, schema.type === 'integer' ? 'whole number' : 'number')
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    case 'array': {
      const { minItems, maxItems } = schema
      const inside = asSchema(Array.isArray(schema.items) ? schema.items[0] : schema.items)
      const items =
        inside.type === undefined && !inside.anyOf ? '' : ` of ${inside.type === 'object' ? 'objects' : kindOf(inside)}`
      const most = maxItems === undefined ? '' : minItems === maxItems ? `, ${maxItems}` : `, at most ${maxItems}`
      return `list${items}${most}`
    }
    case 'object':
      return 'object'
    default:
      return schema.const === undefined ? 'any' : `\`${JSON.stringify(schema.const)}\``
  }
}

/** An object's fields; nested ones have dotted names. */
function fieldsOf(schema: Json, before = ''): Field[] {
  if (schema.type === 'array') {
    const inside = asSchema(Array.isArray(schema.items) ? schema.items[0] : schema.items)
    const isPlain = inside.type !== 'object' && inside.type !== 'array' && !inside.anyOf
    return isPlain ? [] : fieldsOf(inside, `${before}[]`)
  }
  const branches = schema.anyOf?.map(asSchema).filter((one) => one.type === 'object')
  if (branches) return branches.flatMap((one) => fieldsOf(one, before))
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const own = asSchema(value)
    const full = before === '' ? name : `${before}.${name}`
    const byDefault =
      own.default === undefined || own.default === '' || typeof own.default === 'object'
        ? ''
        : ` (default ${JSON.stringify(own.default)})`
    return [
      { name: full, kind: `${kindOf(own)}${byDefault}`, isRequired: schema.required?.includes(name) === true },
      ...fieldsOf(own, full),
    ]
  })
}

const cell = (text: string) => text.replaceAll('|', '\\|')

function inputTable(row: RestRow): string[] {
  if (!row.input) return []
  const inPath = [...row.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const fields = fieldsOf(z.toJSONSchema(row.input, { io: 'input', unrepresentable: 'any' }))
  if (fields.length === 0) return ['Takes nothing.', '']
  const where = (field: Field) =>
    inPath.includes(field.name)
      ? 'path'
      : row.method === 'GET'
        ? 'query'
        : field.name === 'requestId'
          ? 'header `Idempotency-Key`'
          : 'body'
  return [
    '| field | where | what | |',
    '|---|---|---|---|',
    ...fields.map(
      (field) =>
        `| \`${field.name}\` | ${where(field)} | ${cell(field.kind)} | ${field.isRequired ? 'required' : ''} |`,
    ),
    '',
  ]
}

function pathText(row: RestRow): string {
  const words = descriptionOf(row)
  const status = jsonOf(row.answer) ? `${statusOf(row)}, ` : ''
  return [
    `### ${words.method} ${row.path.replaceAll(/:(\w+)/g, '{$1}')}`,
    '',
    `Guard: ${row.guard}. API key: ${row.key === 'any' ? 'any' : row.key === 'never' ? 'none' : `\`${row.key}\``}. ${words.does}`,
    '',
    ...(words.takes === undefined ? [] : [`Takes ${words.takes}.`, '']),
    ...inputTable(row),
    `Answers ${status}${withLinks(words.answers)}.`,
  ].join('\n')
}

/** Links names of shapes to their entries. */
const withLinks = (text: string) =>
  text.replaceAll(/`(\w+)`/g, (all, name: string) => (name in shapes ? `[${all}](#${name.toLowerCase()})` : all))

/** The topic of a path: its first two segments. */
function groupOf({ path }: RestRow): string {
  const [, first = '', second = ''] = path.split('/')
  return first === 'files' ? 'Files' : `/${first}/${second}`
}

/** Every row of the REST table, and the shapes of the answers. Throws unless rows and descriptions match. */
export function apiPaths(): string {
  const known = new Set(restTable.map(nameOf))
  const undescribed = restTable.map(nameOf).filter((name) => !(name in pathDescriptions))
  const unknown = Object.keys(pathDescriptions).filter((name) => !known.has(name))
  if (undescribed.length > 0)
    throw new Error(`api/openapi/path-descriptions.ts does not describe ${undescribed.join(', ')}`)
  if (unknown.length > 0)
    throw new Error(`api/openapi/path-descriptions.ts describes paths that do not exist: ${unknown.join(', ')}`)
  const groups = [...Map.groupBy(restTable, groupOf)].map(([group, rows]) =>
    [`## ${group}`, ...rows.map(pathText)].join('\n\n'),
  )
  const shapeTexts = Object.entries(shapes).map(([name, shape]) => {
    const fields = fieldsOf(z.toJSONSchema(shape, { io: 'output', unrepresentable: 'any' }))
    return [
      `### ${name}`,
      '',
      '| field | what | |',
      '|---|---|---|',
      ...fields.map(
        (field) => `| \`${field.name}\` | ${cell(field.kind)} | ${field.isRequired ? '' : 'may be missing'} |`,
      ),
    ].join('\n')
  })
  return [...groups, '## Shapes', ...shapeTexts].join('\n\n')
}
