import { createListeners } from '../ui/listeners.ts'
import { tryStorage } from './try-storage.ts'

/** Beside the button that saves a form whose unsaved changes are stored. */
export const unsavedChangesNote = 'Unsaved changes, kept on this device'

export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

type Format<T> = {
  /** Reads the stored text, which may be missing or invalid. */
  parse: (stored: string | null) => T
  /** Null for a value that need not be stored. */
  toText: (value: T) => string | null
}

export type StoredValue<T> = ReturnType<typeof openStoredValue<T>>

/** One user's value in localStorage, so that it survives a reload and is the same in all tabs. */
export function openStoredValue<T>(
  name: string,
  userId: string,
  { parse, toText }: Format<T>,
  storage: KeyValueStorage = localStorage,
) {
  const key = `${name}:${userId}`
  const { subscribe, notify } = createListeners<[now: T, before: T]>()
  const read = () => tryStorage(() => storage.getItem(key))
  const write = (text: string | null): true => {
    if (text === null) storage.removeItem(key)
    else storage.setItem(key, text)
    return true
  }
  let value = parse(read() ?? null)
  /** Without storage the value is lost when the tab closes. */
  let isStored = true
  const show = (next: T) => {
    const before = value
    value = next
    notify(next, before)
  }
  const update = (change: (value: T) => T): void => {
    const next = change(value)
    if (next === value) return
    // Stored before listeners run, because a request id must survive the tab that sends it.
    isStored = tryStorage(() => write(toText(next))) ?? false
    show(next)
  }
  /** Shows what another tab stored. */
  const adopt = (stored: string | null): void => show(parse(stored))
  return {
    userId,
    get: (): T => value,
    /** Calls `listener` after every change, from this tab or another. */
    subscribe,
    update,
    set: (next: T): void => update(() => next),
    adopt,
    /** Adopts from now on what other tabs store. */
    followOtherTabs: (): void => {
      window.addEventListener('storage', (event) => {
        if (event.key === key) adopt(event.newValue)
      })
      // A page in the back/forward cache gets no storage events.
      window.addEventListener('pageshow', ({ persisted }) => {
        const stored = persisted && isStored ? read() : undefined
        if (stored !== undefined) adopt(stored)
      })
    },
  }
}

/** The stored values of one name by user. A user has the same one every time. */
export function storedValues<T>(name: string, format: Format<T>): (userId: string) => StoredValue<T> {
  const values = new Map<string, StoredValue<T>>()
  return (userId) => {
    const existing = values.get(userId)
    if (existing) return existing
    const value = openStoredValue(name, userId, format)
    value.followOtherTabs()
    values.set(userId, value)
    return value
  }
}
