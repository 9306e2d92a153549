import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import layout from '../../ui/layout.module.css'
import styles from './one-time-secret.module.css'

type Props = {
  value: string
  /** The label of the button. */
  action: string
  copied: string
  failed: string
  /** Why to copy it now. */
  children: ReactNode
}

/** A secret that cannot be shown again, with a button that copies it. */
export function OneTimeSecret({ value, action, copied, failed, children }: Props) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      toast.success(copied)
    } catch {
      toast.error(failed)
    }
  }
  return (
    <div className={layout['stack-4']}>
      <Alert tone="warning" title="Copy it now">
        {children}
      </Alert>
      <code className={styles['secret']}>{value}</code>
      <Button icon={<Copy />} onPress={() => void copy()}>
        {action}
      </Button>
    </div>
  )
}
