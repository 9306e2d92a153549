import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './code-block.module.css'

/** Milliseconds for which the button says that it has copied. */
const saidMs = 2000

/** Code that scrolls sideways, with a button that copies it. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), saidMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    // Without the right to write to the clipboard the code can still be selected.
    await navigator.clipboard.writeText(children).then(
      () => setCopied(true),
      () => undefined,
    )
  }
  return (
    <div className={styles['frame']}>
      {/* It scrolls sideways by itself, so the keyboard has to reach it. */}
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
          {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        </IconButton>
      </div>
    </div>
  )
}
