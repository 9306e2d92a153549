type Json = Record<string, unknown>

/** The paths of a field mask; undefined without one; an error message when it is invalid. */
export function maskOf(header: string | undefined, known: readonly string[]): string[] | string | undefined {
  if (!header?.trim()) return undefined
  const paths = header.split(',').map((one) => one.trim())
  const unknownPath = paths.find((path) => path !== '*' && !known.includes(path.split('.')[0]!))
  return unknownPath === undefined
    ? paths
    : `Error expanding 'fields' parameter. Cannot find matching fields for path '${unknownPath}'.`
}

/** The part of an object that the mask selects; a path goes through lists. */
export function masked(object: Json, paths: readonly string[]): Json {
  if (paths.includes('*')) return object
  const shown: Json = {}
  const below = Map.groupBy(paths, (path) => path.split('.')[0]!)
  for (const [field, all] of below) {
    const value = object[field]
    if (value === undefined) continue
    const rest = all.map((path) => path.slice(field.length + 1))
    shown[field] = rest.includes('') ? value : inside(value, rest)
  }
  return shown
}

function inside(value: unknown, rest: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => inside(one, rest))
  return typeof value === 'object' && value !== null ? masked(value as Json, rest) : value
}
