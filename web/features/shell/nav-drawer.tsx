import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './app-shell.module.css'
import { Logo } from '../parts/logo.tsx'

export type NavDrawerProps = {
  open: boolean
  onClose: () => void
  /** The places to go; `onLeave` is called when one is chosen. */
  nav: (onLeave: () => void) => ReactNode
}

/** The sidebar below 768 px: it slides in over the page. */
export function NavDrawer({ open, onClose, nav }: NavDrawerProps) {
  return (
    <ModalOverlay className={styles['scrim'] ?? ''} isOpen={open} onOpenChange={onClose} isDismissable>
      <Modal className={styles['drawer'] ?? ''}>
        <Dialog aria-label="Menu" className={styles['drawer-body'] ?? ''}>
          <div className={styles['drawer-head']}>
            <Logo />
            <IconButton label="Close" onPress={onClose}>
              <X aria-hidden="true" />
            </IconButton>
          </div>
          {nav(onClose)}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
