import styles from './trap.module.css'

export const trapName = 'trap'

/**
 * A field no person sees, but what fills in every form it finds does. A password manager may too: a message with it filled is
 * marked for whoever reads it, never lost.
 */
export function Trap({ value, onChange }: { value?: string; onChange?: (value: string) => void }) {
  return (
    <p className={styles['trap']} aria-hidden="true">
      <label>
        Leave this empty
        <input name={trapName} tabIndex={-1} autoComplete="off" {...(onChange ? { value: value ?? '', onChange: (event) => onChange(event.target.value) } : {})} />
      </label>
    </p>
  )
}
