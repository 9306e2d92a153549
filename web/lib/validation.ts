import '@flashsheet/contracts/refusals'
import type { ZodType } from 'zod'

/** The first message per field of a schema's issues; empty without any. */
export function fieldErrors(schema: ZodType, values: unknown): Record<string, string> {
  const result = schema.safeParse(values)
  const errors: Record<string, string> = {}
  for (const issue of result.error?.issues ?? []) errors[issue.path.map(String).join('.')] ??= issue.message
  return errors
}
