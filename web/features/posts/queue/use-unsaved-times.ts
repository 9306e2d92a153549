import type { Queue } from '@flashsheet/contracts/queue/schema'
import { useMemo, useSyncExternalStore } from 'react'
import { arrayOf, nullable, number, objectOf, string, withDefault, type Read } from '../../../lib/read-stored-json.ts'
import { tryStorage } from '../../../lib/try-storage.ts'
import { storedValues } from '../../../lib/stored-value.ts'
import { pageKey } from '../draft/draft.ts'

export type Slot = Queue['slots'][number]

/** A slot in the form. Its id stays the same while it is edited. */
export type TimeRow = { id: number; slot: Slot }

/** The edited slots, and the saved slots from which the artist began. */
type UnsavedTimes = { base: Slot[]; rows: TimeRow[] }

const readStoredSlot = objectOf({
  days: arrayOf(number),
  time: string,
  pages: withDefault(nullable(arrayOf(objectOf({ socialAccountId: string, pageId: string }))), null),
})

const readSlot: Read<Slot> = (value) => {
  const slot = readStoredSlot(value)
  return slot && { days: slot.days, time: slot.time, ...(slot.pages && { pages: slot.pages }) }
}

const readTimes = objectOf<UnsavedTimes>({
  base: arrayOf(readSlot),
  rows: arrayOf(objectOf({ id: number, slot: readSlot })),
})

const storeOf = storedValues<UnsavedTimes | undefined>('queue-times', {
  parse: (stored) => tryStorage(() => readTimes(JSON.parse(stored ?? 'null'))),
  toText: (times) => (times ? JSON.stringify(times) : null),
})

const rowsOf = (slots: readonly Slot[]): TimeRow[] => slots.map((slot, id) => ({ id, slot }))
export const slotsOf = (rows: readonly TimeRow[]): Slot[] => rows.map(({ slot }) => slot)

/** Slots as text for comparison, which the order of their members does not affect. */
const textOf = (slots: readonly Slot[]) =>
  JSON.stringify(slots.map(({ days, time, pages }) => [days, time, pages?.map(pageKey)]))
const isSame = (one: readonly Slot[], other: readonly Slot[]) => textOf(one) === textOf(other)

/** The slots of the queue's form: the unsaved ones of this user, otherwise the saved ones. */
export function useUnsavedTimes(userId: string, saved: readonly Slot[]) {
  const store = storeOf(userId)
  const stored = useSyncExternalStore(store.subscribe, store.get)
  return useMemo(() => {
    const isUnsaved = ({ base, rows }: UnsavedTimes) => !isSame(slotsOf(rows), base) && !isSame(slotsOf(rows), saved)
    const unsaved = stored && isUnsaved(stored) ? stored : undefined
    return {
      rows: unsaved?.rows ?? rowsOf(saved),
      hasUnsavedChanges: unsaved !== undefined,
      /** Other slots than those from which the artist began were saved elsewhere. */
      isChangedElsewhere: unsaved !== undefined && !isSame(saved, unsaved.base),
      change: (rows: TimeRow[]) => {
        const times = { base: unsaved?.base ?? [...saved], rows }
        store.set(isUnsaved(times) ? times : undefined)
      },
      /** Call after a save. Slots that were edited again during the save stay unsaved. */
      markSaved: (sent: readonly Slot[], nowSaved: readonly Slot[]) => {
        const latest = store.get()
        store.set(latest && !isSame(slotsOf(latest.rows), sent) ? { ...latest, base: [...nowSaved] } : undefined)
      },
      discard: () => store.set(undefined),
    }
  }, [store, saved, stored])
}
