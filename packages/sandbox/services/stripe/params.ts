import { invalid } from './errors.ts'

/** Decoded parameters: strings, lists and nested objects of Stripe's bracket notation. */
export type Params = { [name: string]: Param }
export type Param = string | Param[] | Params

/** Refuses any parameter that is not in `known`, as Stripe does. */
export function refuseUnknown(params: Params, known: readonly string[], prefix = ''): void {
  for (const name of Object.keys(params)) {
    if (known.includes(name)) continue
    const full = prefix ? `${prefix}[${name}]` : name
    throw invalid(`Received unknown parameter: ${full}`, full, 'parameter_unknown')
  }
}

export function textOf(params: Params, name: string, limit = 5000): string | undefined {
  const value = params[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw invalid(`Invalid string: ${JSON.stringify(value)}`, name)
  if (value.length > limit) throw invalid(`Invalid string: must be at most ${limit} characters`, name)
  return value
}

export function requiredText(params: Params, name: string): string {
  const value = textOf(params, name)
  if (!value) throw invalid(`Missing required param: ${name}.`, name, 'parameter_missing')
  return value
}

export function integerOf(params: Params, name: string, fullName = name): number | undefined {
  const value = textOf(params, name)
  if (value === undefined) return undefined
  if (!/^-?\d{1,15}$/.test(value)) throw invalid(`Invalid integer: ${value}`, fullName, 'parameter_invalid_integer')
  return Number(value)
}

export function booleanOf(params: Params, name: string): boolean | undefined {
  const value = textOf(params, name)
  if (value === undefined) return undefined
  if (value !== 'true' && value !== 'false') throw invalid(`Invalid boolean: ${value}`, name)
  return value === 'true'
}

export function oneOf<const T extends string>(params: Params, name: string, values: readonly T[]): T | undefined {
  const value = textOf(params, name)
  if (value === undefined) return undefined
  const found = values.find((one) => one === value)
  if (!found) throw invalid(`Invalid ${name}: must be one of ${values.join(', ')}`, name)
  return found
}

export function objectOf(params: Params, name: string): Params | undefined {
  const value = params[name]
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string' || Array.isArray(value)) throw invalid(`Invalid object`, name)
  return value
}

export function listOf(params: Params, name: string): Param[] | undefined {
  const value = params[name]
  if (value === undefined || value === '') return undefined
  if (!Array.isArray(value)) throw invalid(`Invalid array`, name)
  return value
}

/** The only entry of a list, an object. Throws `message` for `path` when the list has none or several. */
export function onlyItem(params: Params, name: string, message: string, path = name): Params {
  const [item, ...more] = listOf(params, name) ?? []
  if (item === undefined || more.length > 0 || typeof item === 'string' || Array.isArray(item))
    throw invalid(message, path)
  return item
}

export function textsOf(params: Params, name: string): string[] | undefined {
  return listOf(params, name)?.map((one) => {
    if (typeof one !== 'string') throw invalid(`Invalid string: ${JSON.stringify(one)}`, name)
    return one
  })
}

/**
 * The metadata after this call: given keys are set, empty ones removed, an empty string removes all; at most 50 keys of
 * 40 by 500 characters.
 */
export function metadataOf(params: Params, before: Record<string, string> = {}): Record<string, string> {
  if (params['metadata'] === '') return {}
  const given = objectOf(params, 'metadata')
  const after: Record<string, string> = { ...before }
  for (const [key, value] of Object.entries(given ?? {})) {
    if (typeof value !== 'string') throw invalid('Metadata values are texts', `metadata[${key}]`)
    if (key.length > 40) throw invalid('Metadata keys can have up to 40 characters', `metadata[${key}]`)
    if (value.length > 500) throw invalid('Metadata values can have up to 500 characters', `metadata[${key}]`)
    if (value === '') delete after[key]
    else after[key] = value
  }
  if (Object.keys(after).length > 50) throw invalid('You can have up to 50 metadata keys', 'metadata')
  return after
}

export function addressOf(params: Params, name: string): string | undefined {
  const value = textOf(params, name)
  // Stripe replaces the placeholder later; its braces are not valid in a URL.
  if (
    value !== undefined &&
    !/^https?:$/.test(URL.parse(value.replaceAll('{CHECKOUT_SESSION_ID}', 'x'))?.protocol ?? '')
  ) {
    throw invalid('Not a valid URL', name, 'url_invalid')
  }
  return value
}

export function emailOf(params: Params, name: string): string | undefined {
  const value = textOf(params, name, 512)
  if (value && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value))
    throw invalid(`Invalid email address: ${value}`, name, 'email_invalid')
  return value
}

export type Range = (at: number) => boolean

/** `created=…` or `created[gte|gt|lte|lt]=…`, in seconds. */
export function rangeOf(params: Params, name: string): Range {
  const value = params[name]
  if (value === undefined) return () => true
  if (typeof value === 'string') {
    const exact = integerOf(params, name)
    return (at) => at === exact
  }
  const bounds = objectOf(params, name)!
  refuseUnknown(bounds, ['gt', 'gte', 'lt', 'lte'], name)
  const [gt, gte, lt, lte] = ['gt', 'gte', 'lt', 'lte'].map((bound) => integerOf(bounds, bound, `${name}[${bound}]`))
  return (at) =>
    (gt === undefined || at > gt) &&
    (gte === undefined || at >= gte) &&
    (lt === undefined || at < lt) &&
    (lte === undefined || at <= lte)
}
