import { splitWords } from '../split-words.ts'
import { type Context, Hono } from 'hono'
import type { ServiceModule } from '../context.ts'
import { Refusal } from '../refusal.ts'
import { isRecord } from '../request-body.ts'
import { addresses, suggestionOf, type Address } from './places/addresses.ts'
import { maskOf, masked } from './places/mask.ts'

/** Google Places (New): address autocomplete and details. Every address is made up. */
export const places: ServiceModule = {
  service: 'places',
  hosts: {
    'places.googleapis.com': () =>
      new Hono().post('/v1/places:autocomplete', autocomplete).get('/v1/places/:id', details),
  },
  defaults: () => ({ places: addresses.map(({ id, text }) => ({ id, text })) }),
}

const codes = { INVALID_ARGUMENT: 400, PERMISSION_DENIED: 403, NOT_FOUND: 404 }

function refuse(status: keyof typeof codes, message: string): Refusal {
  return new Refusal(codes[status], { error: { code: codes[status], message, status } })
}

function requireKey(c: Context): void {
  if (c.req.header('x-goog-api-key') || c.req.query('key')) return
  throw refuse(
    'PERMISSION_DENIED',
    "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
  )
}

const bodyFields =
  splitWords(`input includedRegionCodes includedPrimaryTypes includePureServiceAreaBusinesses includeQueryPredictions
  inputOffset languageCode locationBias locationRestriction origin regionCode sessionToken`)

async function autocomplete(c: Context): Promise<Response> {
  requireKey(c)
  const body: unknown = await c.req.json<unknown>().catch(() => undefined)
  if (!isRecord(body)) throw refuse('INVALID_ARGUMENT', 'Invalid JSON payload received.')
  checkBody(body)
  const regions = list(body['includedRegionCodes'])
  if (regions.length && !regions.some((code) => code.toLowerCase() === 'us')) return c.json({})
  const mask = maskOf(c.req.header('x-goog-fieldmask'), ['suggestions'])
  if (typeof mask === 'string') throw refuse('INVALID_ARGUMENT', mask)
  const words = String(body['input'])
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  const found = addresses.filter((one) => matches(one, words, list(body['includedPrimaryTypes']))).slice(0, 5)
  // Google's JSON omits an empty list.
  return c.json(
    found.length ? masked({ suggestions: found.map((one) => suggestionOf(one, words)) }, mask ?? ['*']) : {},
  )
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function matches(address: Address, words: readonly string[], types: readonly string[]): boolean {
  const parts = address.text.toLowerCase().split(/[\s,]+/)
  const wanted = !types.length || types.some((type) => address.types.includes(type))
  return wanted && words.every((word) => parts.some((part) => part.startsWith(word)))
}

function checkBody(body: Record<string, unknown>): void {
  const unknown = Object.keys(body).find((name) => !bodyFields.includes(name))
  if (unknown)
    throw refuse('INVALID_ARGUMENT', `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`)
  if (typeof body['input'] !== 'string' || !body['input'].trim())
    throw refuse('INVALID_ARGUMENT', 'Invalid AutocompletePlacesRequest: input is required.')
  if (list(body['includedRegionCodes']).length > 15)
    throw refuse('INVALID_ARGUMENT', 'Too many included_region_codes: at most 15.')
  if (list(body['includedPrimaryTypes']).length > 5)
    throw refuse('INVALID_ARGUMENT', 'Too many included_primary_types: at most 5.')
  if (body['locationBias'] && body['locationRestriction'])
    throw refuse('INVALID_ARGUMENT', 'Only one of location_bias and location_restriction may be set.')
  const session = body['sessionToken']
  if (session !== undefined && (typeof session !== 'string' || !/^[\w-]{1,36}$/.test(session))) {
    throw refuse('INVALID_ARGUMENT', 'session_token must be URL-safe base64 and at most 36 characters.')
  }
}

function details(c: Context): Response {
  requireKey(c)
  const session = c.req.query('sessionToken')
  if (session !== undefined && !/^[\w-]{1,36}$/.test(session))
    throw refuse('INVALID_ARGUMENT', 'session_token must be URL-safe base64.')
  const whole = addresses.find((one) => one.id === c.req.param('id'))?.details
  const fields = splitWords(
    `name id types formattedAddress shortFormattedAddress addressComponents postalAddress location displayName`,
  )
  const mask = maskOf(c.req.header('x-goog-fieldmask') ?? c.req.query('fields') ?? c.req.query('$fields'), fields)
  if (mask === undefined) {
    throw refuse(
      'INVALID_ARGUMENT',
      "FieldMask is a required parameter. See https://cloud.google.com/apis/docs/system-parameters on how to provide it. As an example, you can set the header 'X-Goog-FieldMask' with value 'places.displayName' to ask for the display names of the places.",
    )
  }
  if (typeof mask === 'string') throw refuse('INVALID_ARGUMENT', mask)
  if (!whole)
    throw refuse(
      'NOT_FOUND',
      'The Place ID is no longer valid. Please refresh cached Place IDs as per https://developers.google.com/maps/documentation/places/web-service/place-id#save-id',
    )
  return c.json(masked(whole, mask))
}
