import { ErrorBody } from '@flashsheet/contracts/errors/schema'
import { z } from 'zod'
import { restTable } from '../rest.ts'
import type { RestRow } from '../core/rest.ts'

const patterns = restTable.map((row) => ({
  row,
  pattern: new RegExp(`^${row.path.replaceAll(/:\w+/g, '[^/]+')}$`),
}))

/** The row that answers a call; one without parameters goes before one with. */
function rowOf(method: string, path: string): RestRow | undefined {
  const found = patterns.filter(({ row, pattern }) => row.method === method && pattern.test(path))
  return found.toSorted((a, b) => a.row.path.split(':').length - b.row.path.split(':').length)[0]?.row
}

/** Throws unless an answer received over REST is what `GET /api/openapi.json` says of it. */
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
    `${row.method} ${row.path} answered ${response.status} with what its schema does not know: ${z.prettifyError(result.error)}`,
  )
}
