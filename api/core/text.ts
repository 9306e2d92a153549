import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { invalid } from './errors.ts'

/** Throws invalid if there is a NUL character anywhere in `value`. */
export function refuseNul(value: unknown): void {
  if (containsNul(value)) throw invalid(errorMessages.malformed)
}

/** Whether there is a NUL character in any string or key of `value`. Postgres cannot store them. */
export function containsNul(value: unknown): boolean {
  // No recursion: a megabyte of brackets would overflow the stack.
  const pending = [value]
  while (pending.length > 0) {
    const one = pending.pop()
    if (typeof one === 'string') {
      if (one.includes('\0')) return true
    } else if (Array.isArray(one)) {
      for (const inner of one) pending.push(inner)
    } else if (one !== null && typeof one === 'object') {
      for (const [key, inner] of Object.entries(one)) pending.push(key, inner)
    }
  }
  return false
}

/** Trims `characters` from both ends in one pass; a pattern anchored at the end would be quadratic. */
export function trimCharacters(text: string, characters: string): string {
  let start = 0
  let end = text.length
  while (start < end && characters.includes(text.charAt(start))) start += 1
  while (end > start && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}
