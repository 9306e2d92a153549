import { isRefusal } from './query-client.ts'

/** For the query that reads what a failed save has stored. One retry: the connection may be back, but a failure should be shown soon. */
export const rereadOptions = { staleTime: 0, retry: 1 }

/**
 * Returns what a save has stored. A save that failed without an answer may have been carried out, so the stored value is read again: if it
 * has what was sent (`isSaved`), it is returned. Otherwise throws the error of the save.
 */
export async function confirmSave<T>(
  save: Promise<T>,
  read: () => Promise<T>,
  isSaved: (stored: T) => boolean,
): Promise<T> {
  try {
    return await save
  } catch (error) {
    if (isRefusal(error)) throw error
    const stored = await read().catch(() => undefined)
    if (stored !== undefined && isSaved(stored)) return stored
    throw error
  }
}
