import type { Param, Params } from './params.ts'

/**
 * Parses `a=1&b[c]=2&d[]=3&e[0][f]=4`. The last value of a name takes effect; an object whose keys are all integers
 * becomes a list. Undefined when the text is malformed.
 */
export function parseForm(text: string): Params | undefined {
  const root: Params = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const steps = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
    if (!steps) return undefined
    const path = [steps[1]!, ...[...steps[2]!.matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1]!)]
    if (!setAt(root, path, value)) return undefined
  }
  return withLists(root) as Params
}

function setAt(root: Params, path: string[], value: string): boolean {
  let at = root
  for (const [index, step] of path.entries()) {
    const key = step === '' ? String(Object.keys(at).length) : step
    if (index === path.length - 1) at[key] = value
    else {
      const below = (at[key] ??= Object.create(null) as Params)
      if (typeof below === 'string' || Array.isArray(below)) return false
      at = below
    }
  }
  return true
}

/** Turns objects whose keys are all integers into lists. */
function withLists(value: Param): Param {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withLists(inner)] as const)
  if (entries.length && entries.every(([key]) => /^\d+$/.test(key))) {
    return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner)
  }
  return Object.fromEntries(entries)
}
