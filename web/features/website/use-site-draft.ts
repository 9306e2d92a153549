import type { Site } from '@flashsheet/contracts/website/schema'
import { useMemo, useSyncExternalStore } from 'react'
import { storedValues } from '../../lib/stored-value.ts'
import {
  changedElsewhere,
  omitUnchanged,
  parseStoredDraft,
  valuesOf,
  valuesOfChanged,
  type SiteChanges,
  type SiteDraft,
  type SiteValues,
} from './site-draft.ts'

const storeOf = storedValues<SiteDraft>('site-draft', {
  parse: parseStoredDraft,
  toText: ({ changes, base }) => (Object.keys(changes).length === 0 ? null : JSON.stringify({ ...changes, base })),
})

/** The saved site with the unsaved changes applied to it. */
export function useSiteDraft(userId: string, site: Site) {
  const store = storeOf(userId)
  const draft = useSyncExternalStore(store.subscribe, store.get)
  return useMemo(() => {
    const saved = valuesOf(site)
    const unsaved = omitUnchanged(draft.changes, saved)
    const elsewhere = changedElsewhere(draft, saved)
    const put = (changes: SiteChanges, base: SiteValues) => store.set({ changes, base: valuesOfChanged(changes, base) })
    const change = (some: SiteChanges) => {
      const { changes, base } = store.get()
      put(omitUnchanged({ ...changes, ...some }, saved), { ...saved, ...base })
    }
    return {
      values: { ...saved, ...unsaved },
      saved,
      hasUnsavedChanges: Object.keys(unsaved).length > 0,
      isChangedElsewhere: Object.keys(elsewhere).length > 0,
      /** Drops the changes of fields that another device has changed. */
      showOthers: () => change(elsewhere),
      change,
      /** The current values of the form, for callers that awaited something since they were rendered. `now`: the site, if it was read again. */
      latest: (now: Site = site) => ({ ...valuesOf(now), ...store.get().changes }),
      latestElsewhere: (now: Site) => changedElsewhere(store.get(), valuesOf(now)),
      /** Call after a save. Fields that were edited again during the save stay unsaved. */
      markSaved: (sent: SiteChanges, answer: Site) => {
        const { changes, base } = store.get()
        const values = valuesOf(answer)
        put(omitUnchanged(changes, { ...saved, ...sent }, Object.keys(sent)), {
          ...values,
          ...base,
          ...valuesOfChanged(sent, values),
        })
      },
      discard: () => store.set({ changes: {}, base: {} }),
    }
  }, [store, site, draft])
}
