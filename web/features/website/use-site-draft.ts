import type { Site } from '@flashsheet/contracts/website/schema'
import { useMemo, useSyncExternalStore } from 'react'
import { tryStorage } from '../../lib/try-storage.ts'
import { omitUnchanged, parseStoredChanges, valuesOf, type SiteChanges, type SiteValues } from './site-draft.ts'

/** A user's unsaved changes in localStorage, so that they survive a reload and are the same in all tabs. */
class UnsavedChangesStore {
  readonly key: string
  private readonly listeners = new Set<() => void>()
  private changes: SiteChanges

  constructor(userId: string) {
    this.key = `site-draft:${userId}`
    this.changes = parseStoredChanges(tryStorage(() => localStorage.getItem(this.key)) ?? null)
    window.addEventListener('storage', (event) => {
      if (event.key === this.key) this.show(parseStoredChanges(event.newValue))
    })
  }

  readonly get = (): SiteChanges => this.changes

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  set(changes: SiteChanges): void {
    // Without storage the changes are lost when the tab closes.
    tryStorage(() => {
      if (Object.keys(changes).length === 0) localStorage.removeItem(this.key)
      else localStorage.setItem(this.key, JSON.stringify(changes))
    })
    this.show(changes)
  }

  private show(changes: SiteChanges): void {
    this.changes = changes
    for (const listener of this.listeners) listener()
  }
}

const stores = new Map<string, UnsavedChangesStore>()

function storeOf(userId: string): UnsavedChangesStore {
  const store = stores.get(userId) ?? new UnsavedChangesStore(userId)
  stores.set(userId, store)
  return store
}

export type SiteDraft = {
  values: SiteValues
  saved: SiteValues
  hasUnsavedChanges: boolean
  change: (changes: SiteChanges) => void
  /** The current values of the form, for callers that awaited something since they were rendered. */
  latest: () => SiteValues
  /** Call after a save. Fields that were edited again during the save stay unsaved. */
  markSaved: (sent: SiteChanges) => void
  discard: () => void
}

/** The saved site with the unsaved changes applied to it. */
export function useSiteDraft(userId: string, site: Site): SiteDraft {
  const store = storeOf(userId)
  const changes = useSyncExternalStore(store.subscribe, store.get)
  return useMemo(() => {
    const saved = valuesOf(site)
    const unsaved = omitUnchanged(changes, saved)
    return {
      values: { ...saved, ...unsaved },
      saved,
      hasUnsavedChanges: Object.keys(unsaved).length > 0,
      change: (some) => store.set(omitUnchanged({ ...store.get(), ...some }, saved)),
      latest: () => ({ ...saved, ...store.get() }),
      markSaved: (sent) => store.set(omitUnchanged(store.get(), { ...saved, ...sent }, Object.keys(sent))),
      discard: () => store.set({}),
    }
  }, [store, site, changes])
}
