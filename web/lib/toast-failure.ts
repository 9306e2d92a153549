import { toast } from '../ui/toast.tsx'
import { failureOf } from './failure.ts'

/** Shows a failed call as a toast: the server's message, else `fallback` with what to do. */
export function toastFailure(error: unknown, fallback: string): void {
  const { message, detail } = failureOf(error, fallback)
  toast.error(message, detail)
}
