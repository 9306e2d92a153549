import { toast } from '../ui/toast.tsx'
import { failureOf, type Failure } from './failure.ts'
import { rememberedUser } from './remembered-user.ts'

/** Shows a failure as a toast, except the end of the session: the log-in screen states that, and a toast would outlast the next log-in. */
export function showFailureToast({ message, detail, code }: Omit<Failure, 'fields'>): void {
  if (code !== 'unauthenticated' || rememberedUser() !== null) toast.error(message, detail)
}

/** Shows a failed call as a toast, unless `isShown` has shown it: the server's message, otherwise `fallback` with advice. */
export function toastFailure(
  error: unknown,
  fallback: string,
  isShown: (failure: Failure) => boolean = () => false,
): void {
  const failure = failureOf(error, fallback)
  if (!isShown(failure)) showFailureToast(failure)
}
