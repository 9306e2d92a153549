type Json = Record<string, unknown>

/** Removes the constraints that the API does not promise, such as no further fields. */
export function simplifyJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(simplifyJsonSchema)
  if (schema === null || typeof schema !== 'object') return schema
  const tidied = { ...(schema as Json) }
  for (const name of ['$schema', '$id']) delete tidied[name]
  if (tidied['additionalProperties'] === false) delete tidied['additionalProperties']
  // The format is enough; zod's pattern for instants spells out leap years.
  if (tidied['format'] === 'date-time') delete tidied['pattern']
  if (tidied['minimum'] === Number.MIN_SAFE_INTEGER) delete tidied['minimum']
  if (tidied['maximum'] === Number.MAX_SAFE_INTEGER) delete tidied['maximum']
  return Object.fromEntries(
    Object.entries(tidied).map(([name, inner]) => [
      name,
      name === 'default' || name === 'const' ? inner : simplifyJsonSchema(inner),
    ]),
  )
}

/** The schema with each object refusing fields that it does not name. */
export function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects)
  if (schema === null || typeof schema !== 'object') return schema
  const closed = Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, closeObjects(inner)]))
  return closed['type'] === 'object' ? { ...closed, additionalProperties: false } : closed
}
