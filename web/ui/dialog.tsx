import { X } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { classes } from './classes.ts'
import styles from './dialog.module.css'
import { IconButton } from './icon-button.tsx'

export type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  children: ReactNode
  /** The buttons, the main one last. On a phone they stack, the main one on top. */
  actions?: ReactNode
  /** `wide` for pictures and tables. */
  size?: 'medium' | 'wide'
  /** What it shows is still to come: it has its full height from the beginning. */
  steady?: boolean
  /** Work is under way: it cannot be closed by mistake. */
  busy?: boolean
  /** Takes the focus afterwards where what had opened the dialog is gone by then; otherwise it returns there by itself. */
  focusAfter?: () => HTMLElement | null
}

/** A dialog; below 768 px a sheet that rises from the bottom. Focus goes in, stays in, and returns where it was. */
export function Dialog({
  open,
  onOpenChange,
  title,
  children,
  actions,
  size = 'medium',
  steady = false,
  busy = false,
  focusAfter,
}: DialogProps) {
  return (
    <ModalOverlay
      className={styles['scrim'] ?? ''}
      isOpen={open}
      onOpenChange={onOpenChange}
      isDismissable={!busy}
      isKeyboardDismissDisabled={busy}
    >
      <Modal className={classes(styles['modal'], size === 'wide' && styles['wide'], steady && styles['steady'])}>
        <AriaDialog className={styles['dialog'] ?? ''}>
          <header className={styles['head']}>
            <Heading slot="title" level={2} className={styles['title'] ?? ''}>
              {title}
            </Heading>
            <IconButton label="Close" onPress={() => onOpenChange(false)} isDisabled={busy}>
              <X aria-hidden="true" />
            </IconButton>
          </header>
          <Body label={title}>{children}</Body>
          {focusAfter && <FocusAfter find={focusAfter} />}
          {actions && <footer className={styles['foot']}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Between head and foot. Where it scrolls and holds nothing to press, it takes the focus itself, so that the keys can scroll it. */
function Body({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  const [isStop, setIsStop] = useState(false)
  useEffect(() => {
    const body = ref.current
    if (!body) return undefined
    const look = () =>
      setIsStop(
        body.scrollHeight > body.clientHeight + 1 &&
          body.querySelector('a[href], button:not(:disabled), input, select, textarea') === null,
      )
    const sizes = new ResizeObserver(look)
    sizes.observe(body)
    for (const child of body.children) sizes.observe(child)
    return () => sizes.disconnect()
  }, [children])
  return (
    <div ref={ref} className={styles['body']} {...(isStop ? { role: 'group', 'aria-label': label, tabIndex: 0 } : {})}>
      {children}
    </div>
  )
}

/** Leaves together with the dialog, and a moment later sees whether the focus got lost. */
function FocusAfter({ find }: { find: () => HTMLElement | null }) {
  const latest = useRef(find)
  useEffect(() => {
    latest.current = find
  })
  useEffect(
    () => () => {
      // The dialog gives it back in the next frame.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (document.activeElement === document.body) latest.current()?.focus()
        }),
      )
    },
    [],
  )
  return null
}
