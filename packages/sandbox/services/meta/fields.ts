import type { Context } from 'hono'
import type { SandboxContext } from '../../context.ts'
import { badParameter, type Params } from './graph.ts'

/** A parsed `fields` value: name → nested selection, null for the whole field. */
type Selection = Map<string, Selection | null>

/** All fields of a node; `undefined` for one without a value. */
export type GraphNode = Record<string, unknown>

/** Parses `a,b{c,d},e.limit(3){f}`. Ignores modifiers (`.type(large)`, `.limit(3)`). Throws 100 on bad syntax. */
function parseFields(source: string): Selection {
  let at = 0
  const fail = () =>
    badParameter(
      `Syntax error "Expected end of string instead of "${source.slice(at, at + 12)}"." at character ${at}: ${source}`,
    )
  const level = (): Selection => {
    const selection: Selection = new Map()
    for (;;) {
      const name = /^\s*([A-Za-z_][A-Za-z0-9_]*)((?:\.[a-z_]+\([^()]*\))*)\s*/.exec(source.slice(at))
      if (!name?.[1]) throw fail()
      at += name[0].length
      let inner: Selection | null = null
      if (source[at] === '{') {
        at++
        inner = level()
        if (source[at] !== '}') throw fail()
        at++
      }
      selection.set(name[1], inner)
      if (source[at] !== ',') return selection
      at++
    }
  }
  const parsed = level()
  if (at !== source.length) throw fail()
  return parsed
}

/**
 * The answer to reading `node`: the requested fields (or `standard`) that have a value, and always its `id`. Throws 100
 * for a field that the node type does not have, as Graph does.
 */
export function project(
  node: GraphNode,
  fields: string | undefined,
  standard: readonly string[],
  typeName: string,
): GraphNode {
  const selection: Selection = fields ? parseFields(fields) : new Map(standard.map((name) => [name, null]))
  return select(node, selection, typeName)
}

function select(node: GraphNode, selection: Selection, typeName: string): GraphNode {
  const answer: GraphNode = {}
  for (const [name, inner] of selection) {
    if (!Object.hasOwn(node, name))
      throw badParameter(`Tried accessing nonexisting field (${name}) on node type (${typeName})`)
    const value = node[name]
    if (value !== undefined && value !== null) answer[name] = inner ? narrow(value, inner, name) : value
  }
  if (node['id'] !== undefined) answer['id'] = node['id']
  return answer
}

function narrow(value: unknown, inner: Selection, name: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => narrow(entry, inner, name))
  if (value === null || typeof value !== 'object') return value
  const object = value as GraphNode
  const edge = object['data']
  if (Array.isArray(edge)) return { ...object, data: edge.map((entry) => narrow(entry, inner, name)) }
  const picked: GraphNode = {}
  for (const [key, deeper] of inner) {
    const found = object[key]
    if (found !== undefined && found !== null) picked[key] = deeper ? narrow(found, deeper, key) : found
  }
  return picked
}

/** The size of a page by default, and at most. */
const [standard, max] = [25, 100]

/**
 * The requested page of a list, with each entry as `show` returns it: `data`, and `paging` with cursors, and with `next`
 * when more follows (docs/networks/facebook.md). `next` contains the caller's token, as Graph's does.
 */
export function pageOf<T extends { id: string }>(
  c: Context,
  sandbox: SandboxContext,
  token: string,
  params: Params,
  all: readonly T[],
  show: (entry: T) => GraphNode,
): { data: GraphNode[]; paging?: Record<string, unknown> } {
  const limit = Number(params.text('limit') ?? standard)
  if (!Number.isInteger(limit) || limit < 1) throw badParameter('param limit must be a positive integer')
  const size = Math.min(limit, max)
  const after = params.text('after') ?? ''
  const start = after === '' ? 0 : all.findIndex(({ id }) => id === Buffer.from(after, 'base64url').toString()) + 1
  if (after !== '' && start === 0) throw badParameter('Invalid parameter: after is not a cursor of this list')
  const items = all.slice(start, start + size)
  const [first, last] = [items[0], items.at(-1)]
  const data = items.map(show)
  if (!first || !last) return { data }
  const cursor = (entry: T) => Buffer.from(entry.id).toString('base64url')
  const next = new URL(`${sandbox.url}${c.req.path}`)
  const query = { ...c.req.query(), access_token: token, limit: String(size), after: cursor(last) }
  for (const [key, value] of Object.entries(query)) next.searchParams.set(key, value)
  const cursors = { before: cursor(first), after: cursor(last) }
  return { data, paging: { cursors, ...(start + size < all.length ? { next: next.href } : {}) } }
}
