import { useState } from 'react'
import { failureOf, type Failure } from './failure.ts'

/**
 * What a form shows when its call fails: messages at its fields, else `failure` above them. Pass `handlers` to the mutation. `fallback`:
 * the message when the server sent none.
 */
export function useFormFailure(
  form: { refuse: (fields: Failure['fields']) => boolean },
  fallback: string,
  first: Failure | null = null,
) {
  const [failure, setFailure] = useState(first)
  const clear = () => setFailure(null)
  const onError = (error: unknown) => {
    const found = failureOf(error, fallback)
    if (!form.refuse(found.fields)) setFailure(found)
  }
  return { failure, clear, handlers: { onMutate: clear, onError } }
}
