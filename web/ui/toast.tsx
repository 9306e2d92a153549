import type { ToastAction, ToastWords } from './toast-region.tsx'

const waiting: ToastWords[] = []
const add = (tone: ToastWords['tone']) => (text: string, detail?: string, action?: ToastAction) => {
  waiting.push({ tone, text, detail, action })
  showToasts()
}

/** Shows a short message about what just happened; screen readers announce it. `detail` is a second line. */
export const toast = { success: add('success'), warning: add('warning'), error: add('error'), info: add('info') }

/** Loads the toast region and shows queued toasts. Without a connection they stay queued. */
export function showToasts(): void {
  import('./toast-region.tsx').then(
    ({ showToast }) => {
      for (const words of waiting.splice(0)) showToast(words)
    },
    () => addEventListener('online', showToasts, { once: true }),
  )
}
