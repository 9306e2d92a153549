import '@flashsheet/contracts/refusals'
import type { ZodType } from 'zod'

/** The first message per field that a contract's schema has against some values; empty when it has none. */
export function fieldErrors(schema: ZodType, values: unknown): Record<string, string> {
  const result = schema.safeParse(values)
  const errors: Record<string, string> = {}
  for (const issue of result.error?.issues ?? []) errors[issue.path.map(String).join('.')] ??= issue.message
  return errors
}
