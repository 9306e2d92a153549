import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { createRoot, type Root } from 'react-dom/client'
import {
  I18nProvider,
  Text,
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components'
import { classes } from './classes.ts'
import { IconButton } from './icon-button.tsx'
import styles from './toast.module.css'

type ToastTone = 'success' | 'warning' | 'error' | 'info'
type ToastWords = { tone: ToastTone; text: string; detail: string | undefined }

/** Milliseconds a toast stays unless it is hovered or focused; what went wrong stays longer. */
const stay: Record<ToastTone, number> = { success: 5000, info: 5000, warning: 8000, error: 10_000 }

const queue = new ToastQueue<ToastWords>({ maxVisibleToasts: 3 })
const add = (tone: ToastTone) => (text: string, detail?: string) => {
  queue.add({ tone, text, detail }, { timeout: stay[tone] })
}

/** Says briefly what just happened, from anywhere; read aloud. `detail` is a second, quieter line. */
export const toast = { success: add('success'), warning: add('warning'), error: add('error'), info: add('info') }

const icons = { success: CircleCheck, warning: TriangleAlert, error: CircleAlert, info: Info }

let region: Root | undefined

/**
 * Makes toasts appear, from the first call on. They live beside the app, in a root of their own, so that one outlives the screen that
 * raised it.
 */
export function showToasts(): void {
  if (region) return
  const element = document.body.appendChild(document.createElement('div'))
  region = createRoot(element)
  region.render(
    <I18nProvider locale="en-US">
      <Toasts />
    </I18nProvider>,
  )
}

function Toasts() {
  return (
    <ToastRegion queue={queue} className={styles['region'] ?? ''} aria-label="Messages">
      {({ toast: shown }) => {
        const Icon = icons[shown.content.tone]
        return (
          <AriaToast toast={shown} className={classes(styles['toast'], styles[shown.content.tone])}>
            <Icon aria-hidden="true" className={styles['icon']} />
            <ToastContent className={styles['words']}>
              <Text slot="title" className={styles['text'] ?? ''}>
                {shown.content.text}
              </Text>
              {shown.content.detail && (
                <Text slot="description" className={styles['detail'] ?? ''}>
                  {shown.content.detail}
                </Text>
              )}
            </ToastContent>
            <IconButton slot="close" label="Close" size="small">
              <X aria-hidden="true" />
            </IconButton>
          </AriaToast>
        )
      }}
    </ToastRegion>
  )
}
