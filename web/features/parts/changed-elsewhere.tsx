import { useState } from 'react'
import { useUnsentText } from '../../lib/session-end.ts'
import { useIsMounted } from '../../lib/use-is-mounted.ts'
import { useScrollIntoView } from '../../lib/use-scroll-into-view.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { changedElsewhereTexts } from './changed-elsewhere-texts.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * The edited fields of a form for which another device has saved other values since their edit began. `form`: as for `useUnsentText`.
 * `edited`: the edited fields only. Values must be comparable by `===`.
 */
export function useChangedElsewhere(form: string, edited: Values, stored: Values) {
  /** The stored values from which the edits began. */
  const [base, setBase] = useState<Values>({})
  const [isSaving, setIsSaving] = useState(false)
  const [isStopped, setIsStopped] = useState(false)
  const isMounted = useIsMounted()
  const edits = Object.keys(edited)
  useUnsentText(`${form}, before`, edits.length > 0 ? base : undefined, setBase)
  if (edits.join() !== Object.keys(base).join())
    setBase(Object.fromEntries(edits.map((field) => [field, field in base ? base[field] : stored[field]])))
  const fieldsIn = (now: Values) =>
    edits.filter((field) => field in base && now[field] !== base[field] && now[field] !== edited[field])
  const fields = fieldsIn(stored)
  return {
    fields,
    isSaving,
    /** Saves after the stored values were read, since the screen may not know yet what another device has changed. Undefined: they could not be read. */
    saveAfter: async <T,>(read: Promise<T>, save: (now: T | undefined) => Promise<unknown>) => {
      setIsSaving(true)
      try {
        await save(await read.catch(() => undefined))
      } finally {
        setIsSaving(false)
      }
    },
    /** Whether the last save was stopped. */
    isStopped,
    /** Whether a save must be stopped for values that were read again: they have such fields while none was shown. After the form was left, a toast says so. */
    stopsFor: (now: Values): boolean => {
      const isNew = fields.length === 0 && fieldsIn(now).length > 0
      setIsStopped(isNew)
      if (isNew && !isMounted()) toast.warning(changedElsewhereTexts.notSaved)
      return isNew
    },
  }
}

/** Shown while another device has saved what is being edited. `onShow` drops these edits. `isStopped`: for it a save was stopped, so it scrolls into view. */
export function ChangedElsewhereAlert({ onShow, isStopped = false }: { onShow: () => void; isStopped?: boolean }) {
  const alert = useScrollIntoView(isStopped)
  return (
    <div ref={alert}>
      <Alert
        tone="warning"
        live
        action={
          <Button size="small" onPress={onShow}>
            {changedElsewhereTexts.show}
          </Button>
        }
      >
        {changedElsewhereTexts.notice}
      </Alert>
    </div>
  )
}
