import { X } from 'lucide-react'
import { createContext, useContext, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { classes } from './classes.ts'
import { DialogFoot } from './dialog-foot.tsx'
import styles from './dialog.module.css'
import { IconButton } from './icon-button.tsx'
import { useBackToClose } from './use-back-to-close.ts'
import { useSettling, useSettlingPage } from './use-settling.ts'

export type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** The buttons, the main one last. On a phone they stack, the main one on top. */
  actions?: ReactNode
  /** `wide` for pictures and tables. */
  size?: 'medium' | 'wide'
  /** Has a fixed height, so that nothing shifts when its content has loaded. */
  steady?: boolean
  /** Holds changes that closing would lose, made before it was opened or by other means than typing. */
  unsaved?: boolean
  /** Work is running: prevents closing. */
  busy?: boolean
  /** Gets the focus after closing when the element that opened the dialog no longer exists. */
  focusAfter?: () => HTMLElement | null
}

const InputContext = createContext(() => {})

/** For a component that restores text: returns what it calls then, so that the dialog around it stays open as if the text was typed. */
export const useDialogInput = () => useContext(InputContext)

/**
 * A modal dialog; below 768 px a bottom sheet. It traps the focus and restores it. A tap beside it and Back close it, unless
 * something was typed into it or is unsaved.
 */
export function Dialog({
  open,
  onClose,
  title,
  children,
  actions,
  size = 'medium',
  steady = false,
  unsaved = false,
  busy = false,
  focusAfter,
}: DialogProps) {
  const [isTypedInto, setIsTypedInto] = useState(false)
  if (isTypedInto && !open) setIsTypedInto(false)
  const keepsOpen = isTypedInto || unsaved
  useBackToClose(open, keepsOpen)
  useSettlingPage(open)
  const onInput = () => setIsTypedInto(true)
  return (
    <ModalOverlay
      className={styles['scrim'] ?? ''}
      isOpen={open}
      onOpenChange={onClose}
      isDismissable={!busy && !keepsOpen}
      shouldCloseOnInteractOutside={() => document.querySelector('[data-settling]') === null}
      isKeyboardDismissDisabled={busy}
    >
      <Modal className={classes(styles['modal'], size === 'wide' && styles['wide'], steady && styles['steady'])}>
        <AriaDialog className={styles['dialog'] ?? ''}>
          <Head>
            <Heading slot="title" level={2} className={styles['title'] ?? ''}>
              {title}
            </Heading>
            <IconButton label="Close" onPress={onClose} isDisabled={busy}>
              <X />
            </IconButton>
          </Head>
          <Body label={title} onInput={onInput}>
            <InputContext value={onInput}>{children}</InputContext>
          </Body>
          {focusAfter && <FocusAfter find={focusAfter} />}
          {actions && <DialogFoot>{actions}</DialogFoot>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

function Head({ children }: { children: ReactNode }) {
  return (
    <header className={styles['head']} data-settling={useSettling()}>
      {children}
    </header>
  )
}

/** The scrolling body. Without focusable content it is focusable itself, so that the keyboard can scroll it. */
function Body({ label, onInput, children }: { label: string; onInput: () => void; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  const [isFocusable, setIsFocusable] = useState(false)
  useEffect(() => {
    const body = ref.current
    if (!body) return undefined
    const measure = () =>
      setIsFocusable(
        body.scrollHeight > body.clientHeight + 1 &&
          body.querySelector('a[href], button:not(:disabled), input, select, textarea') === null,
      )
    const sizes = new ResizeObserver(measure)
    sizes.observe(body)
    for (const child of body.children) sizes.observe(child)
    return () => sizes.disconnect()
  }, [children])
  return (
    <div
      ref={ref}
      className={styles['body']}
      onInput={onInput}
      {...(isFocusable ? { role: 'group', 'aria-label': label, tabIndex: 0 } : {})}
    >
      {children}
    </div>
  )
}

/** Unmounts with the dialog, and then moves the focus if it was lost. */
function FocusAfter({ find }: { find: () => HTMLElement | null }) {
  const restoreFocus = useEffectEvent(() => {
    if (document.activeElement === document.body) find()?.focus()
  })
  useEffect(
    () => () => {
      // The dialog restores the focus in the next frame.
      requestAnimationFrame(() => requestAnimationFrame(restoreFocus))
    },
    [],
  )
  return null
}
