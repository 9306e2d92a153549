import type { Context } from 'hono'
import { faultKinds, services, type Fault, type Service } from './context.ts'

/** An invalid call to the control API, answered as 400 `{message}`. */
export class ControlError extends Error {}

export type Fields = Record<string, unknown>

/** The JSON object of a request body; an absent body is an empty object. */
export async function fieldsOf(c: Context): Promise<Fields> {
  const text = await c.req.text()
  if (!text.trim()) return {}
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new ControlError('The body is not JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ControlError('The body is not a JSON object')
  return body as Fields
}

export function serviceOf(value: unknown): Service {
  const service = services.find((one) => one === value)
  if (!service) throw new ControlError(`service is one of ${services.join(', ')}`)
  return service
}

export function whole(fields: Fields, name: string, fallback: number | undefined, from: number, to: number): number {
  const value = fields[name] ?? fallback
  if (typeof value !== 'number' || !Number.isInteger(value) || value < from || value > to) {
    throw new ControlError(`${name} is a whole number from ${from} to ${to}`)
  }
  return value
}

export function word(fields: Fields, name: string, fallback?: string): string {
  const value = fields[name] ?? fallback
  if (typeof value !== 'string') throw new ControlError(`${name} is a text`)
  return value
}

/** An instant as ISO text or milliseconds since the epoch; undefined when none was given. */
export function instant(value: string | undefined): number | undefined {
  if (value === undefined || value === '') return undefined
  const at = /^\d+$/.test(value) ? Number(value) : Date.parse(value)
  if (Number.isNaN(at)) throw new ControlError('since is an ISO instant or milliseconds since the epoch')
  return at
}

function pattern(fields: Fields, name: string): string {
  const text = word(fields, name, '')
  try {
    RegExp(text)
  } catch {
    throw new ControlError(`${name} is not a regular expression`)
  }
  return text
}

function headersOf(value: unknown): Record<string, string> {
  if (value === undefined || value === null) return {}
  const invalid = new ControlError('headers is an object of texts')
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid
  const entries = Object.entries(value).map(([name, one]) => {
    if ((typeof one !== 'string' && typeof one !== 'number') || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw invalid
    return [name, String(one)]
  })
  return Object.fromEntries(entries)
}

/** The delay in seconds, given beside the other fields or in the fault's own body. */
function lateSeconds(fields: Fields): number {
  const body = fields['body']
  const inner = typeof body === 'object' && body !== null ? (body as Fields)['seconds'] : undefined
  const seconds = fields['seconds'] ?? inner
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= 86_400))
    throw new ControlError('seconds is a number from 0 to 86400')
  return seconds
}

/** The fault that a body describes. Defaults: any method and path, no skip, once, status 500. */
export function faultFrom(fields: Fields, id: string): Fault {
  const kind = faultKinds.find((one) => one === fields['kind'])
  if (!kind) throw new ControlError(`kind is one of ${faultKinds.join(', ')}`)
  return {
    id,
    service: serviceOf(fields['service']),
    method: pattern(fields, 'method'),
    path: pattern(fields, 'path'),
    skip: whole(fields, 'skip', 0, 0, 1e9),
    times: whole(fields, 'times', 1, 1, 1e9),
    kind,
    status: whole(fields, 'status', 500, 200, 599),
    headers: headersOf(fields['headers']),
    body: fields['body'] ?? null,
    delayMs: whole(fields, 'delayMs', 0, 0, 600_000),
    seconds: kind === 'late-list' || kind === 'late-status' ? lateSeconds(fields) : 0,
    fired: 0,
  }
}
