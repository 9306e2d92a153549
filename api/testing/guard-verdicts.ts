import { appRouter } from '../router.ts'
import type { Visitor } from './actors.ts'

/** Every tRPC procedure, by name. */
export const procedures = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: 'query' | 'mutation' | 'subscription' } }
>

export type Refusal =
  | '401'
  | '403 deactivated'
  | '403 unverified'
  | '403 leaving'
  | '403 no_subscription'
  | '403 plan'
  | '403 admin'
  | '403 scope'

/** The guard's refusal, or null when the guard admits the caller. */
export async function verdict(visitor: Visitor, name: string): Promise<Refusal | null> {
  const response = name.includes(' ') ? await askRest(visitor, name) : await askTrpc(visitor, name)
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return await firstRefusal(response)
  const text = response.headers.get('content-type')?.includes('json') ? await response.text() : ''
  await response.body?.cancel().catch(() => undefined)
  if (response.status === 401) return '401'
  if (response.status !== 403) return null
  const body = JSON.parse(text) as { code?: string; error?: { data: { refusal: { code: string } } } }
  return `403 ${body.code ?? body.error?.data.refusal.code}` as Refusal
}

/** An event stream answers 200 before the guard runs; a refusal is its first event after the greeting. */
async function firstRefusal(response: Response): Promise<Refusal | null> {
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk)
    const event = /event: serialized-error\ndata: (.*)\n/.exec(text)
    if (event) {
      const error = JSON.parse(event[1] ?? '{}') as { data: { httpStatus: number; refusal: { code: string } } }
      return (error.data.httpStatus === 401 ? '401' : `403 ${error.data.refusal.code}`) as Refusal
    }
    if (/\ndata: .*"(posts|drafts|notices|library|appointments)"/.test(text)) return null
  }
  return null
}

async function askRest(visitor: Visitor, name: string): Promise<Response> {
  const [method = '', path = ''] = name.split(' ')
  return await visitor.fetch(
    path.replace(':platform', 'facebook').replaceAll(/:\w+/g, '00000000-0000-7000-8000-000000000000'),
    { method },
  )
}

async function askTrpc(visitor: Visitor, name: string): Promise<Response> {
  return procedures[name]?._def.type === 'mutation'
    ? await visitor.fetch(`/trpc/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
    : await visitor.fetch(`/trpc/${name}?input=%7B%7D`)
}
