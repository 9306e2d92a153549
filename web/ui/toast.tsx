import type { ToastAction, ToastMessage } from './toast-region.tsx'

const queued: ToastMessage[] = []
const add =
  (tone: ToastMessage['tone'], subject?: string) =>
  (text: string, detail?: string, action?: ToastAction): void => {
    queued.push({ tone, text, detail, action, subject })
    showToasts()
  }
const toasts = (subject?: string) => ({
  success: add('success', subject),
  warning: add('warning', subject),
  error: add('error', subject),
  info: add('info', subject),
})

/** Shows a short message about what just happened; screen readers announce it. `detail` is a second line. */
export const toast = {
  ...toasts(),
  /** A toast that closes the one before about the same subject, which no longer holds. */
  about: (subject: string) => toasts(subject),
}

/** Closes all toasts, also those that wait for a place. */
export function closeToasts(): void {
  queued.length = 0
  import('./toast-region.tsx').then(
    ({ closeAll }) => closeAll(),
    () => {},
  )
}

/** Loads the toast region and shows queued toasts. Without a connection they stay queued. */
export function showToasts(): void {
  import('./toast-region.tsx').then(
    ({ showToast }) => {
      for (const message of queued.splice(0)) showToast(message)
    },
    () => addEventListener('online', showToasts, { once: true }),
  )
}
