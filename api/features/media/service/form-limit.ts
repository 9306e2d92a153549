import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { tooMany } from '../../../core/errors.ts'

/**
 * Forms of one artist that a process reads at a time. Each file of a library form holds one of ten connections while it
 * waits for the library's lock, and a picture of the site is held in memory until it is stored.
 */
const maxConcurrentForms = 6
const retrySeconds = 5
const formsBeingRead = new Map<string, number>()

/** Runs `read`. Throws tooMany when this process already reads the maximum number of forms for this artist. */
export async function withinFormLimit<T>(owner: string, read: () => Promise<T>): Promise<T> {
  const current = formsBeingRead.get(owner) ?? 0
  if (current >= maxConcurrentForms) throw tooMany(retrySeconds, mediaMessages.tooManyForms)
  formsBeingRead.set(owner, current + 1)
  try {
    return await read()
  } finally {
    const remaining = (formsBeingRead.get(owner) ?? 1) - 1
    if (remaining > 0) formsBeingRead.set(owner, remaining)
    else formsBeingRead.delete(owner)
  }
}
