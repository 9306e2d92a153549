import type { Read } from './read-stored-json.ts'

/**
 * Readers of query parameters. Written by hand, because every route's reader is in the first bundle, which has no schema
 * library. An invalid parameter counts as missing.
 */

/** Text up to a length. The router parses numbers and booleans, so they are converted back. */
export const text =
  (maxLength: number): Read<string> =>
  (value) => {
    if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined
    const read = String(value)
    return read !== '' && read.length <= maxLength ? read : undefined
  }

/** An instant in ISO format, `2026-11-21T17:00:00.000Z`. */
export const instant: Read<string> = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined

/** An integer from `min` to `max`. */
export const integer =
  (min: number, max: number): Read<number> =>
  (value) => {
    const read = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN
    return Number.isSafeInteger(read) && read >= min && read <= max ? read : undefined
  }

/**
 * For `validateSearch`. Invalid parameters are returned as undefined and not left out: the router merges the result
 * into the URL, where a parameter that is left out would keep its invalid value.
 */
export function searchValidator<S extends Record<string, Read<unknown>>>(
  shape: S,
): (search: Record<string, unknown>) => { [K in keyof S]?: ReturnType<S[K]> } {
  return (search) => {
    const read = Object.fromEntries(Object.entries(shape).map(([name, one]) => [name, one(search[name])]))
    return read as { [K in keyof S]?: ReturnType<S[K]> }
  }
}
