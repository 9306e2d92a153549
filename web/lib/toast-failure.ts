import { toast } from '../ui/toast.tsx'
import { failureOf, type Failure } from './failure.ts'
import { rememberedUser } from './remembered-user.ts'

/** Shows a failed call as a toast, unless `isShown` has shown it: the server's message, otherwise `fallback` with advice. */
export function toastFailure(
  error: unknown,
  fallback: string,
  isShown: (failure: Failure) => boolean = () => false,
): void {
  const failure = failureOf(error, fallback)
  // The log-in screen states that the session has ended; a toast would outlast the next log-in.
  if (failure.code === 'unauthenticated' && rememberedUser() === null) return
  if (!isShown(failure)) toast.error(failure.message, failure.detail)
}
