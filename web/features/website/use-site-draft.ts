import type { Site } from '@flashsheet/contracts/website/schema'
import { useMemo, useSyncExternalStore } from 'react'
import { storedValues } from '../../lib/stored-value.ts'
import { omitUnchanged, parseStoredChanges, valuesOf, type SiteChanges } from './site-draft.ts'

const storeOf = storedValues<SiteChanges>('site-draft', {
  parse: parseStoredChanges,
  toText: (changes) => (Object.keys(changes).length === 0 ? null : JSON.stringify(changes)),
})

/** The saved site with the unsaved changes applied to it. */
export function useSiteDraft(userId: string, site: Site) {
  const store = storeOf(userId)
  const changes = useSyncExternalStore(store.subscribe, store.get)
  return useMemo(() => {
    const saved = valuesOf(site)
    const unsaved = omitUnchanged(changes, saved)
    return {
      values: { ...saved, ...unsaved },
      saved,
      hasUnsavedChanges: Object.keys(unsaved).length > 0,
      change: (some: SiteChanges) => store.set(omitUnchanged({ ...store.get(), ...some }, saved)),
      /** The current values of the form, for callers that awaited something since they were rendered. `now`: the site, if it was read again. */
      latest: (now: Site = site) => ({ ...valuesOf(now), ...store.get() }),
      /** Call after a save. Fields that were edited again during the save stay unsaved. */
      markSaved: (sent: SiteChanges) => store.set(omitUnchanged(store.get(), { ...saved, ...sent }, Object.keys(sent))),
      discard: () => store.set({}),
    }
  }, [store, site, changes])
}
