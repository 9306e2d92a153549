import { tryStorage } from './try-storage.ts'

/** Beside the button that saves a form whose unsaved changes are stored. */
export const unsavedChangesNote = 'Unsaved changes, kept on this device'

/** How the unsaved changes of a form are stored. */
type Format<T> = {
  /** Reads the stored text. Missing or invalid text has no changes. */
  parse: (stored: string | null) => T
  /** Null if there are no changes. */
  toText: (changes: T) => string | null
}

/** A user's unsaved changes of a form in localStorage, so that they survive a reload and are the same in all tabs. */
class UnsavedChangesStore<T> {
  private readonly listeners = new Set<() => void>()
  private readonly key: string
  private readonly format: Format<T>
  private changes: T

  constructor(key: string, format: Format<T>) {
    this.key = key
    this.format = format
    this.changes = format.parse(tryStorage(() => localStorage.getItem(key)) ?? null)
    window.addEventListener('storage', (event) => {
      if (event.key === key) this.show(format.parse(event.newValue))
    })
  }

  readonly get = (): T => this.changes

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  set(changes: T): void {
    const text = this.format.toText(changes)
    // Without storage the changes are lost when the tab closes.
    tryStorage(() => {
      if (text === null) localStorage.removeItem(this.key)
      else localStorage.setItem(this.key, text)
    })
    this.show(changes)
  }

  private show(changes: T): void {
    this.changes = changes
    for (const listener of this.listeners) listener()
  }
}

/** The stores of a form's unsaved changes by user. A user has the same store every time. */
export function unsavedChangesStores<T>(form: string, format: Format<T>): (userId: string) => UnsavedChangesStore<T> {
  const stores = new Map<string, UnsavedChangesStore<T>>()
  return (userId) => {
    const store = stores.get(userId) ?? new UnsavedChangesStore(`${form}:${userId}`, format)
    stores.set(userId, store)
    return store
  }
}
