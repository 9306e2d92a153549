import styles from './honeypot.module.css'

/** A name that bots are likely to fill in. */
export const honeypotName = 'homepage'

/**
 * A hidden field that only bots fill in. A password manager may fill it in too, so a message with a value here is marked as possible
 * spam and still delivered.
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
