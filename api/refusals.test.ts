import { z } from 'zod'
import { expect, test } from 'vitest'
import './core/errors.ts'
import { restTable } from './rest.ts'
import { appRouter } from './router.ts'

type Shape = {
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  items?: Shape
  minimum?: number
  default?: unknown
}

const examples: Record<string, string> = {
  uuid: '0199f2c4-0000-7000-8000-000000000000',
  email: 'a@studio.example',
  'date-time': '2026-05-04T15:00:00Z',
  date: '2026-05-04',
  uri: 'https://studio.example',
}

/** A roughly valid value, so that nested fields are validated too. */
function exampleOf(shape: Shape): unknown {
  if (shape.default !== undefined) return shape.default
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return shape.enum[0]
  if (shape.anyOf) return exampleOf(shape.anyOf[0] ?? {})
  if (shape.type === 'object')
    return Object.fromEntries(Object.entries(shape.properties ?? {}).map(([name, inner]) => [name, exampleOf(inner)]))
  if (shape.type === 'array') return [exampleOf(shape.items ?? {})]
  if (shape.type === 'number' || shape.type === 'integer') return Math.max(shape.minimum ?? 1, 1)
  if (shape.type === 'boolean') return true
  return examples[shape.format ?? ''] ?? 'x'
}

const oddValues = [
  undefined,
  null,
  7,
  -1,
  1.5,
  1e15,
  Number.NaN,
  true,
  '',
  ' ',
  'x',
  'x'.repeat(5000),
  [],
  ['x'],
  Array.from({ length: 1500 }, () => 'x'),
  {},
  { strange: 1 },
]

/** The example with one field replaced by an odd value, for each field and each odd value. */
function* variants(value: unknown): Generator<unknown> {
  yield* oddValues
  if (Array.isArray(value)) for (const inner of variants(value[0])) yield [inner]
  else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value))
      for (const inner of variants(field)) yield { ...value, [name]: inner }
  }
}

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { inputs: z.ZodType[] } }>
const contracts: [string, z.ZodType][] = [
  ...restTable.flatMap(({ method, path, input }): [string, z.ZodType][] =>
    input ? [[`${method} ${path}`, input]] : [],
  ),
  ...Object.entries(procedures).flatMap(([name, { _def }]) =>
    _def.inputs.map((input): [string, z.ZodType] => [`trpc ${name}`, input]),
  ),
]

test('the contracts of REST and tRPC are tested', () => {
  expect(contracts.length).toBeGreaterThan(80)
})

test.each(contracts)('%s refuses with messages for people', (_name, contract) => {
  const example = exampleOf(z.toJSONSchema(contract, { io: 'input', unrepresentable: 'any' }) as Shape)
  const messages = new Set<string>()
  for (const value of variants(example))
    for (const { message } of contract.safeParse(value).error?.issues ?? []) messages.add(message)
  for (const message of messages) {
    expect(message).not.toMatch(
      /^(Invalid (input|option|string|number|key|value|element|email address|URL|UUID|ISO|discriminator)|Too (big|small):|Unrecognized key)/,
    )
    expect(message).toMatch(/^[A-Z].{8,}/)
  }
})
