import { useState } from 'react'
import { failureOf, type Failure } from './failure.ts'

/**
 * The error state of a form whose call fails: messages at its fields, otherwise `failure` above them. Pass `handlers` to the mutation.
 * `fallback` is the message when the server sent none.
 */
export function useFormFailure(
  form: { showErrors: (fields: Failure['fields']) => boolean },
  fallback: string,
  first: Failure | null = null,
) {
  const [failure, setFailure] = useState(first)
  const clear = () => setFailure(null)
  const onError = (error: unknown) => {
    const next = failureOf(error, fallback)
    if (!form.showErrors(next.fields)) setFailure(next)
  }
  return { failure, clear, handlers: { onMutate: clear, onError } }
}
