import { ErrorBody } from '@flashsheet/contracts/errors/schema'
import { z } from 'zod'
import { restTable } from '../rest.ts'
import type { RestRow } from '../core/rest.ts'

const patterns = restTable.map((row) => ({
  row,
  pattern: new RegExp(`^${row.path.replaceAll(/:\w+/g, '[^/]+')}$`),
}))

/** The row that answers a call; paths with fewer parameters take precedence. */
function rowOf(method: string, path: string): RestRow | undefined {
  const found = patterns.filter(({ row, pattern }) => row.method === method && pattern.test(path))
  return found.toSorted((a, b) => a.row.path.split(':').length - b.row.path.split(':').length)[0]?.row
}

/** Throws unless a REST answer matches its schema in `GET /api/openapi.json`. */
export async function checkAnswer(method: string, url: URL, response: Response): Promise<void> {
  if (!url.pathname.startsWith('/api/') || response.headers.get('content-type')?.includes('json') !== true) return
  const row = rowOf(method, url.pathname)
  if (!row || row.takes === 'webhook') return
  const body: unknown = await response.clone().json()
  const schema = !response.ok
    ? ErrorBody
    : 'safeParse' in row.answer
      ? row.answer
      : 'json' in row.answer
        ? row.answer.json
        : undefined
  const result = schema?.safeParse(body)
  if (result === undefined || result.success) return
  throw new Error(
    `${row.method} ${row.path} answered ${response.status} with a body that its schema rejects: ${z.prettifyError(result.error)}`,
  )
}
