import { isRecord } from '../../request-body.ts'
import { refuse } from './answers.ts'

type Kind = 'string' | 'number' | 'boolean' | 'array'
export type Shape = { [field: string]: Kind | Shape | readonly [Shape] }

/** A body that has the shape of `T`. Throws the 422 for any other. */
export function requireShape<T>(body: unknown, shape: Shape): T {
  const problem = shapeProblem(body, shape)
  if (problem) throw refuse(422, 'UNPROCESSABLE_ENTITY', problem)
  return body as T
}

/**
 * The first error in a body's shape, in LinkedIn's words: an unknown field, a missing one, a wrong type. A name that
 * ends in `?` is optional; `[shape]` is a list of such. LinkedIn refuses any other field with 422
 * (docs/networks/linkedin.md).
 */
function shapeProblem(value: unknown, shape: Shape, path = ''): string {
  if (!isRecord(value)) return `ERROR :: ${path || '/'} :: is not an object\n`
  const names = new Map(
    Object.entries(shape).map(([name, kind]) => [name.replace(/\?$/, ''), { kind, optional: name.endsWith('?') }]),
  )
  for (const name of Object.keys(value)) {
    if (!names.has(name)) return `ERROR :: ${path}/${name} :: unrecognized field found but not allowed\n`
  }
  for (const [name, { kind, optional }] of names) {
    const inner = value[name]
    const where = `${path}/${name}`
    if (inner === undefined) {
      if (optional) continue
      return `ERROR :: ${where} :: field is required but not found and has no default value\n`
    }
    const problem = valueProblem(inner, kind, where)
    if (problem) return problem
  }
  return ''
}

function valueProblem(value: unknown, kind: Kind | Shape | readonly [Shape], where: string): string {
  const wrongType = `ERROR :: ${where} :: is not of the expected type\n`
  if (kind === 'array') return Array.isArray(value) ? '' : wrongType
  if (typeof kind === 'string') return typeof value === kind ? '' : wrongType
  if (!isList(kind)) return shapeProblem(value, kind, where)
  if (!Array.isArray(value)) return wrongType
  return value.map((one, index) => shapeProblem(one, kind[0], `${where}/${index}`)).find(Boolean) ?? ''
}

function isList(kind: Shape | readonly [Shape]): kind is readonly [Shape] {
  return Array.isArray(kind)
}
