export type Json = Record<string, unknown>

/** A header among the parameters of an operation. */
export const header = (
  name: string,
  description: string,
  required: boolean,
  schema: Json = { type: 'string' },
): Json => ({
  name,
  in: 'header',
  required,
  description,
  schema,
})
