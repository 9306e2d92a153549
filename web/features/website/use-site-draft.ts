import type { Site } from '@flashsheet/contracts/website/schema'
import { useMemo, useSyncExternalStore } from 'react'
import { realChanges, reviveChanges, valuesOf, type SiteChanges, type SiteValues } from './site-draft.ts'

/** Unsaved changes of one person in this browser: they outlive a reload, and two tabs show the same. */
class ChangesStore {
  readonly key: string
  private readonly listeners = new Set<() => void>()
  private changes: SiteChanges

  constructor(userId: string) {
    this.key = `site-draft:${userId}`
    this.changes = reviveChanges(this.read())
    window.addEventListener('storage', (event) => {
      if (event.key === this.key) this.show(reviveChanges(event.newValue))
    })
  }

  readonly get = (): SiteChanges => this.changes

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  set(changes: SiteChanges): void {
    try {
      if (Object.keys(changes).length === 0) localStorage.removeItem(this.key)
      else localStorage.setItem(this.key, JSON.stringify(changes))
    } catch {
      // Full or forbidden: the changes live as long as the tab.
    }
    this.show(changes)
  }

  private read(): string | null {
    try {
      return localStorage.getItem(this.key)
    } catch {
      return null
    }
  }

  private show(changes: SiteChanges): void {
    this.changes = changes
    for (const listener of this.listeners) listener()
  }
}

const stores = new Map<string, ChangesStore>()

function storeOf(userId: string): ChangesStore {
  const store = stores.get(userId) ?? new ChangesStore(userId)
  stores.set(userId, store)
  return store
}

export type SiteDraft = {
  values: SiteValues
  saved: SiteValues
  /** Something is typed that is not saved. */
  isChanged: boolean
  change: (changes: SiteChanges) => void
  /** The form as it is at this moment, for work that took a while. */
  now: () => SiteValues
  /** These were saved: what was typed over them meanwhile stays a change. */
  settle: (sent: SiteChanges) => void
  discard: () => void
}

/** What is saved, with what was typed since on top of it. */
export function useSiteDraft(userId: string, site: Site): SiteDraft {
  const store = storeOf(userId)
  const changes = useSyncExternalStore(store.subscribe, store.get)
  return useMemo(() => {
    const saved = valuesOf(site)
    const real = realChanges(changes, saved)
    return {
      values: { ...saved, ...real },
      saved,
      isChanged: Object.keys(real).length > 0,
      change: (some) => store.set(realChanges({ ...store.get(), ...some }, saved)),
      now: () => ({ ...saved, ...store.get() }),
      settle: (sent) => store.set(realChanges(store.get(), { ...saved, ...sent }, Object.keys(sent))),
      discard: () => store.set({}),
    }
  }, [store, site, changes])
}
