import type { Context } from 'hono'

const queues = new Map<string, Promise<unknown>>()

/**
 * Runs `work` after all earlier work with the same key, so that two requests never write one upload at once.
 */
export async function serialize<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(key) ?? Promise.resolve()
  const current = before.then(work, work)
  queues.set(key, current)
  try {
    return await current
  } finally {
    if (queues.get(key) === current) queues.delete(key)
  }
}

/**
 * Parses a Content-Range. An asterisk on either side of the slash leaves its numbers undefined. Undefined when it is
 * malformed.
 */
export function contentRange(
  header: string | undefined,
): { first?: number; last?: number; total?: number } | undefined {
  const parts = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(header ?? '')
  if (!parts) return undefined
  const [, first, last, total] = parts
  const range = {
    ...(first === undefined ? {} : { first: Number(first), last: Number(last) }),
    ...(total === '*' ? {} : { total: Number(total) }),
  }
  if (range.first !== undefined && range.last !== undefined && range.last < range.first) return undefined
  if (range.total !== undefined && range.last !== undefined && range.last >= range.total) return undefined
  return range
}

/** The bearer token of a request; '' without one. */
export function bearer(c: Context): string {
  return /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The JSON object of a request body; undefined when it is not declared as JSON or is no object. */
export async function jsonBody(c: Context): Promise<Record<string, unknown> | undefined> {
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) return undefined
  const body: unknown = await c.req.json<unknown>().catch(() => undefined)
  return isRecord(body) ? body : undefined
}
