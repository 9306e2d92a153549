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

/** One user's value in localStorage, so that it survives a reload and is the same in all tabs. */
export class StoredValue<T> {
  readonly userId: string
  private readonly key: string
  private readonly format: Format<T>
  private readonly storage: KeyValueStorage
  private readonly listeners = new Set<(now: T, before: T) => void>()
  private value: T
  /** Without storage the value is lost when the tab closes. */
  private isStored = true

  constructor(name: string, userId: string, format: Format<T>, storage: KeyValueStorage = localStorage) {
    this.userId = userId
    this.key = `${name}:${userId}`
    this.format = format
    this.storage = storage
    this.value = format.parse(this.read() ?? null)
  }

  readonly get = (): T => this.value

  /** Calls `listener` after every change, from this tab or another. */
  readonly subscribe = (listener: (now: T, before: T) => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly update = (change: (value: T) => T): void => {
    const value = change(this.value)
    if (value === this.value) return
    // Stored before listeners run, because a request id must survive the tab that sends it.
    this.isStored = tryStorage(() => this.write(this.format.toText(value))) ?? false
    this.show(value)
  }

  set(value: T): void {
    this.update(() => value)
  }

  /** Shows what another tab stored. */
  adopt(stored: string | null): void {
    this.show(this.format.parse(stored))
  }

  /** Adopts from now on what other tabs store. */
  followOtherTabs(): void {
    window.addEventListener('storage', ({ key, newValue }) => {
      if (key === this.key) this.adopt(newValue)
    })
    // A page in the back/forward cache is not told of changes.
    window.addEventListener('pageshow', ({ persisted }) => {
      const stored = persisted && this.isStored ? this.read() : undefined
      if (stored !== undefined) this.adopt(stored)
    })
  }

  private read(): string | null | undefined {
    return tryStorage(() => this.storage.getItem(this.key))
  }

  private write(text: string | null): true {
    if (text === null) this.storage.removeItem(this.key)
    else this.storage.setItem(this.key, text)
    return true
  }

  private show(value: T): void {
    const before = this.value
    this.value = value
    for (const listener of this.listeners) listener(value, before)
  }
}

/** The stored values of one name by user. A user has the same one every time. */
export function storedValues<T>(name: string, format: Format<T>): (userId: string) => StoredValue<T> {
  const values = new Map<string, StoredValue<T>>()
  return (userId) => {
    const existing = values.get(userId)
    if (existing) return existing
    const value = new StoredValue(name, userId, format)
    value.followOtherTabs()
    values.set(userId, value)
    return value
  }
}
