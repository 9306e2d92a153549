import { failureOf, type Failure } from './failure.ts'
import { useFailure } from './use-failure.ts'

/**
 * The error state of a form whose call fails: messages at its fields, otherwise `failure` above them, or a toast if the
 * form is gone. Pass `handlers` to the mutation. `fallback` is the message when the server sent none.
 *
 * A failure stays until the next answer: without it the form would move up under the second press of a double click.
 */
export function useFormFailure(
  form: { showErrors: (fields: Failure['fields']) => boolean },
  fallback: string,
  first: Failure | null = null,
) {
  const { failure, show, clear } = useFailure(first)
  const onError = (error: unknown) => {
    const next = failureOf(error, fallback)
    if (form.showErrors(next.fields)) clear()
    else show(next)
  }
  const onSettled = (_data: unknown, error: unknown) => {
    if (error === null) clear()
  }
  return { failure, clear, handlers: { onError, onSettled } }
}
