import { useEffect, useRef, type ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Button } from './button.tsx'
import { DialogFoot } from './dialog-foot.tsx'
import dialogStyles from './dialog.module.css'
import { classes } from './classes.ts'
import styles from './alert-dialog.module.css'
import { useBackToClose } from './use-back-to-close.ts'
import { useSettlingPage } from './use-settling.ts'

export type AlertDialogProps = {
  open: boolean
  onClose: () => void
  title: string
  /** States the consequences. */
  children: ReactNode
  /** The verb: "Disconnect", "Delete". */
  action: string
  onAction: () => void
  cancel?: string
  /** The action is running; the caller closes the dialog when it is done. */
  pending?: boolean
  pendingLabel?: string
  /** `danger` for irreversible actions. */
  tone?: 'danger' | 'plain'
}

/** Asks for confirmation of an irreversible action. Initial focus is on Cancel. */
export function AlertDialog({
  open,
  onClose,
  title,
  children,
  action,
  onAction,
  cancel = 'Cancel',
  pending = false,
  pendingLabel,
  tone = 'danger',
}: AlertDialogProps) {
  useBackToClose(open)
  useSettlingPage(open)
  return (
    <ModalOverlay
      className={dialogStyles['scrim'] ?? ''}
      isOpen={open}
      onOpenChange={onClose}
      isKeyboardDismissDisabled={pending}
    >
      <Modal className={classes(dialogStyles['modal'], styles['modal'])}>
        <AriaDialog role="alertdialog" className={classes(dialogStyles['dialog'], styles['dialog'])}>
          <Heading slot="title" level={2} className={styles['title'] ?? ''}>
            {title}
          </Heading>
          <div className={styles['body']}>{children}</div>
          <DialogFoot>
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- focus starts on the safe choice */}
            <Button autoFocus onPress={onClose} isDisabled={pending}>
              {cancel}
            </Button>
            <ConfirmButton tone={tone} onAction={onAction} pending={pending} pendingLabel={pendingLabel}>
              {action}
            </ConfirmButton>
          </DialogFoot>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

type ConfirmButtonProps = Pick<AlertDialogProps, 'tone' | 'onAction' | 'pending' | 'pendingLabel' | 'children'>

/** Acts once: the second press of a double click comes before `pending` is rendered. */
function ConfirmButton({ tone, onAction, pending, pendingLabel, children }: ConfirmButtonProps) {
  const hasActed = useRef(false)
  useEffect(() => {
    // After a failure it may be pressed again; success closes the dialog.
    if (!pending) hasActed.current = false
  }, [pending])
  const act = () => {
    if (hasActed.current) return
    hasActed.current = true
    onAction()
  }
  return (
    <Button
      variant={tone === 'danger' ? 'danger' : 'primary'}
      onPress={act}
      pending={pending}
      pendingLabel={pendingLabel}
    >
      {children}
    </Button>
  )
}
