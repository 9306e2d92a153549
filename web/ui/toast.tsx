import type { ToastAction, ToastMessage } from './toast-region.tsx'

const queued: ToastMessage[] = []
const add = (tone: ToastMessage['tone']) => (text: string, detail?: string, action?: ToastAction) => {
  queued.push({ tone, text, detail, action })
  showToasts()
}

/** Shows a short message about what just happened; screen readers announce it. `detail` is a second line. */
export const toast = { success: add('success'), warning: add('warning'), error: add('error'), info: add('info') }

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
