import type { Platform } from '@flashsheet/contracts/networks'
import type { Random } from '../random.ts'
import { graphError, type StandInRequest, type StandInAnswer } from './stand-in.ts'

const chunk = Buffer.alloc(1_048_576)

export function* zeros(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= chunk.byteLength)
    yield left >= chunk.byteLength ? chunk : chunk.subarray(0, left)
}

export async function readRequest(url: URL, init: RequestInit): Promise<StandInRequest> {
  const headers = new Headers(init.headers)
  const type = headers.get('content-type') ?? ''
  const fields: Record<string, unknown> = {}
  let bytes = 0
  // Reads the whole body, as a server does.
  const body =
    init.body === null || init.body === undefined
      ? undefined
      : new Response(init.body, { headers: init.body instanceof FormData ? {} : { 'content-type': type } })
  if (body && (type.startsWith('multipart/') || init.body instanceof FormData)) {
    for (const [name, value] of await body.formData()) {
      if (typeof value === 'string') fields[name] = value
      else bytes += value.size
    }
  } else if (body && /json/.test(type)) Object.assign(fields, await body.json())
  else if (body && (/urlencoded/.test(type) || init.body instanceof URLSearchParams))
    Object.assign(fields, Object.fromEntries(new URLSearchParams(await body.text())))
  else if (body) for await (const chunk of body.body ?? []) bytes += (chunk as Uint8Array).byteLength
  const [, token = ''] = (headers.get('authorization') ?? '').split(' ')
  return {
    method: init.method ?? 'GET',
    host: url.host,
    path: url.pathname,
    query: url.searchParams,
    headers,
    fields,
    bytes,
    token: token || (url.searchParams.get('access_token') ?? ''),
  }
}

export function toResponse({ status, json, headers = {} }: StandInAnswer): Response {
  const isEmpty = json === undefined
  // `Response.redirect` does not accept 308, but `new Response` does.
  return new Response(isEmpty ? null : JSON.stringify(json), {
    status,
    headers: { ...(isEmpty ? {} : { 'content-type': 'application/json' }), ...headers },
  })
}

/** A server error, in the network's own format or as plain text from a proxy before it. */
export function errorOf(platform: Platform, random: Random): Response {
  const status = random.pick([500, 502, 503, 504])
  if (random.chance(0.5)) return new Response('Bad gateway', { status })
  if (platform === 'facebook' || platform === 'instagram') return toResponse({ ...graphError(status, 2), status })
  if (platform === 'tiktok')
    return toResponse({ status, json: { data: {}, error: { code: 'internal_error', message: 'x', log_id: 'l' } } })
  return toResponse({ status, json: { message: 'x', status } })
}
