import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './code-block.module.css'

/** How long the button shows that the code was copied. */
const copiedMs = 2000

export function CodeBlock({ label, children }: { label: string; children: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    // Without permission for the clipboard the code can still be selected.
    await navigator.clipboard.writeText(children).then(
      () => setCopied(true),
      () => undefined,
    )
  }
  return (
    <div className={styles['frame']}>
      {/* A scroll container must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={styles['code']} tabIndex={0} aria-label={label}>
        <pre>
          <code>{children}</code>
        </pre>
      </section>
      <div className={styles['copy']}>
        <IconButton
          label={isCopied ? 'Copied' : `Copy: ${label}`}
          size="small"
          variant="filled"
          onPress={() => void copy()}
        >
          {isCopied ? <Check /> : <Copy />}
        </IconButton>
      </div>
    </div>
  )
}
