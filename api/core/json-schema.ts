type Json = Record<string, unknown>

/** A JSON Schema without constraints that are not promised, since answers may get further fields. */
export function tidyJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(tidyJsonSchema)
  if (schema === null || typeof schema !== 'object') return schema
  const kept = { ...(schema as Json) }
  for (const name of ['$schema', '$id']) delete kept[name]
  if (kept['additionalProperties'] === false) delete kept['additionalProperties']
  // The format says enough of an instant; zod's pattern for it spells out leap years.
  if (kept['format'] === 'date-time') delete kept['pattern']
  if (kept['minimum'] === Number.MIN_SAFE_INTEGER) delete kept['minimum']
  if (kept['maximum'] === Number.MAX_SAFE_INTEGER) delete kept['maximum']
  return Object.fromEntries(
    Object.entries(kept).map(([name, inner]) => [
      name,
      name === 'default' || name === 'const' ? inner : tidyJsonSchema(inner),
    ]),
  )
}
