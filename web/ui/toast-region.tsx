import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { createRoot } from 'react-dom/client'
import {
  I18nProvider,
  Text,
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { IconButton } from './icon-button.tsx'
import { keepFocus } from './keep-focus.ts'
import styles from './toast.module.css'
import tones from './tone.module.css'

/** A button in a toast. Pressing it closes the toast. */
export type ToastAction = { label: string; onPress: () => void }
export type ToastMessage = {
  tone: 'success' | 'warning' | 'error' | 'info'
  text: string
  detail: string | undefined
  action: ToastAction | undefined
  /** A toast closes the one before with the same subject. */
  subject: string | undefined
}

/** The time until a toast closes unless it is hovered or focused. */
const durationMs: Record<ToastMessage['tone'], number> = { success: 5000, info: 5000, warning: 8000, error: 10_000 }

/** With a button: long enough to read the toast and reach the button. */
const actionDurationMs = 10_000

const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 3 })

const icons = { success: CircleCheck, warning: TriangleAlert, error: CircleAlert, info: Info }

// Started here because every screen with controls loads this module after its first paint (`AppProviders`).
keepFocus()

let isMounted = false

/** The key of the last toast by its subject. */
const keys = new Map<string, string>()

/** Shows a toast. Toasts have their own React root, so that they outlive the screen that called. */
export function showToast(message: ToastMessage): void {
  if (!isMounted) {
    isMounted = true
    createRoot(document.body.appendChild(document.createElement('div'))).render(
      <I18nProvider locale="en-US">
        <Toasts />
      </I18nProvider>,
    )
  }
  const { subject } = message
  const before = subject === undefined ? undefined : keys.get(subject)
  if (before !== undefined) queue.close(before)
  const key = queue.add(message, { timeout: message.action ? actionDurationMs : durationMs[message.tone] })
  if (subject !== undefined) keys.set(subject, key)
}

export const closeAll = (): void => queue.clear()

function Toasts() {
  return (
    <ToastRegion queue={queue} className={styles['region'] ?? ''} aria-label="Messages">
      {({ toast }) => {
        const Icon = icons[toast.content.tone]
        return (
          <AriaToast toast={toast} className={classes(styles['toast'], tones[toast.content.tone])}>
            <Icon className={styles['icon']} />
            <div className={styles['content']}>
              <ToastContent className={styles['words']}>
                <Text slot="title" className={styles['text'] ?? ''}>
                  {toast.content.text}
                </Text>
                {toast.content.detail && (
                  <Text slot="description" className={styles['detail'] ?? ''}>
                    {toast.content.detail}
                  </Text>
                )}
              </ToastContent>
              {toast.content.action && (
                <Button
                  size="small"
                  onPress={() => {
                    toast.content.action?.onPress()
                    queue.close(toast.key)
                  }}
                >
                  {toast.content.action.label}
                </Button>
              )}
            </div>
            <IconButton slot="close" label="Close" size="small">
              <X />
            </IconButton>
          </AriaToast>
        )
      }}
    </ToastRegion>
  )
}
