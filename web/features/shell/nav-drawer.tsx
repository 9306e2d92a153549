import { X } from 'lucide-react'
import type { ComponentType } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { IconButton } from '../../ui/icon-button.tsx'
import { useBackToClose } from '../../ui/use-back-to-close.ts'
import { useSettlingPage } from '../../ui/use-settling.ts'
import styles from './app-shell.module.css'
import { Logo } from '../parts/logo.tsx'

export type NavDrawerProps = {
  open: boolean
  onClose: () => void
  nav: ComponentType<{ onNavigate?: () => void }>
}

/** The sidebar on screens narrower than 768 px, as a drawer over the page. */
export function NavDrawer({ open, onClose, nav: Nav }: NavDrawerProps) {
  useBackToClose(open)
  useSettlingPage(open)
  return (
    <ModalOverlay className={styles['scrim'] ?? ''} isOpen={open} onOpenChange={onClose} isDismissable>
      <Modal className={styles['drawer'] ?? ''}>
        <Dialog aria-label="Menu" className={styles['drawer-body'] ?? ''}>
          <div className={styles['drawer-head']}>
            <Logo />
            <IconButton label="Close" onPress={onClose}>
              <X />
            </IconButton>
          </div>
          <Nav onNavigate={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
