import styles from './honeypot.module.css'

export const honeypotName = 'trap'

/**
 * A field no person sees, but what fills in every form it finds does. A password manager may too: a message with it filled is
 * marked for whoever reads it, never lost.
 */
export function Honeypot({ value, onChange }: { value?: string; onChange?: (value: string) => void }) {
  return (
    <p className={styles['honeypot']} aria-hidden="true">
      <label>
        Leave this empty
        <input
          name={honeypotName}
          tabIndex={-1}
          autoComplete="off"
          {...(onChange ? { value: value ?? '', onChange: (event) => onChange(event.target.value) } : {})}
        />
      </label>
    </p>
  )
}
