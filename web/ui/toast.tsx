import type { ToastAction, ToastWords } from './toast-region.tsx'

const waiting: ToastWords[] = []
const add = (tone: ToastWords['tone']) => (text: string, detail?: string, action?: ToastAction) => {
  waiting.push({ tone, text, detail, action })
  showToasts()
}

/** Says briefly what just happened, from anywhere; read aloud. `detail` is a second, quieter line; `action` is a button, such as Undo. */
export const toast = { success: add('success'), warning: add('warning'), error: add('error'), info: add('info') }

/** Loads what shows toasts, and shows those that are waiting. Without a connection they wait for it. */
export function showToasts(): void {
  import('./toast-region.tsx').then(
    ({ say }) => {
      for (const words of waiting.splice(0)) say(words)
    },
    () => addEventListener('online', showToasts, { once: true }),
  )
}
