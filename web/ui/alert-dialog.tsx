import { useEffect, useRef, type ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Button } from './button.tsx'
import dialogStyles from './dialog.module.css'
import { classes } from './classes.ts'
import styles from './alert-dialog.module.css'

export type AlertDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** What will happen, by name. */
  children: ReactNode
  /** The verb: "Disconnect", "Delete". */
  action: string
  onAction: () => void
  cancel?: string
  /** The action is on its way; the caller closes the dialog when it is done. */
  pending?: boolean
  pendingLabel?: string
  /** `danger` for what cannot be undone. */
  tone?: 'danger' | 'plain'
}

/** Asks once, by name, before something that cannot be undone. Focus starts on the way out. */
export function AlertDialog({
  open,
  onOpenChange,
  title,
  children,
  action,
  onAction,
  cancel = 'Cancel',
  pending = false,
  pendingLabel,
  tone = 'danger',
}: AlertDialogProps) {
  return (
    <ModalOverlay
      className={dialogStyles['scrim'] ?? ''}
      isOpen={open}
      onOpenChange={onOpenChange}
      isDismissable={false}
      isKeyboardDismissDisabled={pending}
    >
      <Modal className={classes(dialogStyles['modal'], styles['modal'])}>
        <AriaDialog role="alertdialog" className={classes(dialogStyles['dialog'], styles['dialog'])}>
          <Heading slot="title" level={2} className={styles['title'] ?? ''}>
            {title}
          </Heading>
          <div className={styles['body']}>{children}</div>
          <footer className={dialogStyles['foot']}>
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the safe answer comes first */}
            <Button autoFocus onPress={() => onOpenChange(false)} isDisabled={pending}>
              {cancel}
            </Button>
            <Act tone={tone} onAction={onAction} pending={pending} pendingLabel={pendingLabel}>
              {action}
            </Act>
          </footer>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

type ActProps = Required<Pick<AlertDialogProps, 'tone' | 'onAction' | 'pending'>> & {
  pendingLabel: string | undefined
  children: ReactNode
}

/** The button that does it: once, however fast it is pressed. The second press of a double click comes before anybody has said that it is pending. */
function Act({ tone, onAction, pending, pendingLabel, children }: ActProps) {
  const acted = useRef(false)
  useEffect(() => {
    // Failed: it may be tried again. What went well closes the dialog.
    if (!pending) acted.current = false
  }, [pending])
  const act = () => {
    if (acted.current) return
    acted.current = true
    onAction()
  }
  return (
    <Button
      variant={tone === 'danger' ? 'danger' : 'primary'}
      onPress={act}
      pending={pending}
      {...(pendingLabel ? { pendingLabel } : {})}
    >
      {children}
    </Button>
  )
}
