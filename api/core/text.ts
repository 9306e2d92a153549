import { errorMessages } from '@flashsheet/contracts/errors'
import { invalid } from './errors.ts'

/**
 * Refuses NUL characters anywhere in what was sent: Postgres cannot store them, and nobody types them.
 * Throws invalid.
 */
export function refuseNul(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalid(errorMessages.malformed)
  } else if (value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) {
      refuseNul(key)
      refuseNul(inner)
    }
  }
}
