import { useCallback, useRef, useState, type FormEvent } from 'react'
import { flushSync } from 'react-dom'

type FieldErrors<V> = Partial<Record<keyof V & string, string>>

/**
 * The state of a form: values, errors per field, focus on the first invalid field. Values survive every error.
 * `validate` returns a message per invalid field. A field that is not edited shows the current `initial`, such as a name changed on another device.
 */
export function useForm<V extends Record<string, unknown>>(initial: V, validate: (values: V) => FieldErrors<V>) {
  const [edits, setEdits] = useState<Partial<V>>({})
  const values = { ...initial, ...edits }
  const [errors, setErrors] = useState<FieldErrors<V>>({})
  const element = useRef<HTMLFormElement | null>(null)

  const show = useCallback((invalid: FieldErrors<V>) => {
    // Fields must be rendered as invalid before the first one can be focused.
    flushSync(() => setErrors(invalid))
    const first = element.current?.querySelector<HTMLElement>(
      '[aria-invalid="true"], [data-invalid] input, [data-invalid] button',
    )
    // Screen readers read a field with its error when it gets the focus.
    if (first === document.activeElement) first?.blur()
    first?.focus()
  }, [])

  return {
    values,
    /** The edited fields only. A save of stored values sends no others, so that it does not undo what another device has saved. */
    edits,
    errors,
    /** The props of a field: `<TextField label="Name" {...form.field('name')} />`. Editing clears its error. */
    field: <K extends keyof V & string>(name: K) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: (value: V[K]) => {
        setEdits((before) => ({ ...before, [name]: value }))
        setErrors(({ [name]: _cleared, ...rest }) => rest as FieldErrors<V>)
      },
    }),
    set: (some: Partial<V>) => setEdits((before) => ({ ...before, ...some })),
    reset: () => setEdits({}),
    /** Shows errors at their fields and focuses the first. Returns whether any was shown: none after the form was left. */
    showErrors: (newErrors: Record<string, string> | undefined) => {
      if (element.current?.isConnected === false) return false
      const known = Object.fromEntries(
        Object.entries(newErrors ?? {}).filter(([name]) => name in initial),
      ) as FieldErrors<V>
      if (Object.keys(known).length === 0) return false
      show(known)
      return true
    },
    /** For the form's onSubmit: validates, and calls `accepted` only without errors. */
    submit: (accepted: (values: V) => void) => (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      element.current = event.currentTarget
      const invalid = validate(values)
      if (Object.keys(invalid).length > 0) {
        show(invalid)
        return
      }
      setErrors({})
      accepted(values)
    },
  }
}
