/**
 * Readers that validate stored or fetched JSON without a schema library, which an artist's first screen does not load.
 * Each returns the value, or undefined when it does not match.
 */
export type Read<T> = (value: unknown) => T | undefined

export const string: Read<string> = (value) => (typeof value === 'string' ? value : undefined)
export const number: Read<number> = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
export const boolean: Read<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)

/** One of these. */
export const oneOf =
  <const T extends string | number>(all: readonly T[]): Read<T> =>
  (value) =>
    all.find((one) => one === value)

export const nullable =
  <T>(read: Read<T>): Read<T | null> =>
  (value) =>
    value === null ? null : read(value)

/** A missing value becomes `fallback`: for a field that was added after the value was stored. */
export const withDefault =
  <T>(read: Read<T>, fallback: T): Read<T> =>
  (value) =>
    value === undefined ? fallback : read(value)

export const arrayOf =
  <T>(read: Read<T>): Read<T[]> =>
  (value) => {
    if (!Array.isArray(value)) return undefined
    const all = value.map(read)
    return all.includes(undefined) ? undefined : (all as T[])
  }

export const recordOf =
  <T>(read: Read<T>): Read<Record<string, T>> =>
  (value) => {
    if (!isObject(value)) return undefined
    const all = Object.entries(value).map(([key, one]): [string, T | undefined] => [key, read(one)])
    return all.some(([, one]) => one === undefined) ? undefined : (Object.fromEntries(all) as Record<string, T>)
  }

/** An object with at least these fields; others are removed. */
export const objectOf =
  <T extends object>(shape: { [K in keyof T]-?: Read<T[K]> }): Read<T> =>
  (value) => {
    if (!isObject(value)) return undefined
    const all = Object.entries<Read<unknown>>(shape).map(([key, read]): [string, unknown] => [key, read(value[key])])
    return all.some(([, one]) => one === undefined) ? undefined : (Object.fromEntries(all) as T)
  }

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
