import { Copy } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import layout from '../../ui/layout.module.css'
import styles from './one-time-secret-dialog.module.css'

/** As long as the second press of a double click may take. */
const doubleClickMs = 500

type Props = {
  open: boolean
  onClose: () => void
  title: string
  value: string
  /** The label of the button that copies. */
  action: string
  copied: string
  failed: string
  /** Why to copy it now. */
  children: ReactNode
}

/**
 * A secret that cannot be shown again, with a button that copies it. Done is disabled at first: it is where the button was
 * that created the secret, and a double click on that one would close the secret unseen.
 */
export function OneTimeSecretDialog({ open, onClose, title, value, action, copied, failed, children }: Props) {
  const [canClose, setCanClose] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setCanClose(true), doubleClickMs)
    return () => clearTimeout(timer)
  }, [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      toast.success(copied)
    } catch {
      toast.error(failed)
    }
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <Button variant="primary" onPress={onClose} isDisabled={!canClose}>
          Done
        </Button>
      }
    >
      <div className={layout['stack-4']}>
        <Alert tone="warning" title="Copy it now">
          {children}
        </Alert>
        <code className={styles['secret']}>{value}</code>
        <Button icon={<Copy />} onPress={() => void copy()}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
