import { toast } from '../ui/toast.tsx'
import { failureOf } from './failure.ts'

/** Shows a failed call as a toast: the server's message, otherwise `fallback` with advice. */
export function toastFailure(error: unknown, fallback: string): void {
  const { message, detail } = failureOf(error, fallback)
  toast.error(message, detail)
}
