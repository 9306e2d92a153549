import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './openapi.gen.ts'

export type { components, operations, paths } from './openapi.gen.ts'

const isFile = (value: unknown): value is Blob => value instanceof Blob

/** A body with files is sent as a form, any other as JSON. */
function serialize(body: unknown): BodyInit {
  if (body instanceof FormData) return body
  const fields = Object.entries(body as object).map(([name, value]) => ({ name, values: [value].flat() as unknown[] }))
  if (!fields.some(({ values }) => values.some(isFile))) return JSON.stringify(body)
  const form = new FormData()
  for (const { name, values } of fields)
    for (const value of values) form.append(name, isFile(value) ? value : String(value))
  return form
}

/**
 * A client of the REST paths, typed by the OpenAPI document. `baseUrl`: the origin of the installation. `signal` aborts
 * every call.
 */
export const createApiClient = (options: { baseUrl: string; apiKey: string; signal?: AbortSignal }): Client<paths> =>
  createClient<paths>({
    baseUrl: options.baseUrl,
    headers: { authorization: `Bearer ${options.apiKey}` },
    bodySerializer: serialize,
    ...(options.signal ? { signal: options.signal } : {}),
  })
