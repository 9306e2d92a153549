/**
 * What a route reads from the query of its address. By hand and without schemas, because every route's reading is loaded with the
 * first page. Whatever does not fit is as if it were not there.
 */
type Read<T> = (value: unknown) => T | undefined

/** Text of one to so many characters. What looks like a number or a truth value arrives as one. */
export const text =
  (most: number): Read<string> =>
  (value) => {
    if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined
    const read = String(value)
    return read !== '' && read.length <= most ? read : undefined
  }

/** A moment as the server writes it, `2026-11-21T17:00:00.000Z`. */
export const instant: Read<string> = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined

/** One of these words. */
export const oneOf =
  <const T extends string>(words: readonly T[]): Read<T> =>
  (value) =>
    words.find((word) => word === value)

/** A whole number from `least` to `most`. */
export const whole =
  (least: number, most: number): Read<number> =>
  (value) => {
    const read = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN
    return Number.isSafeInteger(read) && read >= least && read <= most ? read : undefined
  }

/**
 * For `validateSearch`. What does not fit is answered as undefined and not left out: the router lays the answer over what stands in
 * the address, and what is left out would come through as it is.
 */
export function reading<S extends Record<string, Read<unknown>>>(
  shape: S,
): (search: Record<string, unknown>) => { [K in keyof S]?: ReturnType<S[K]> } {
  return (search) => {
    const read = Object.fromEntries(Object.entries(shape).map(([name, one]) => [name, one(search[name])]))
    return read as { [K in keyof S]?: ReturnType<S[K]> }
  }
}
