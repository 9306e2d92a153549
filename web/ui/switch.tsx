import type { ReactNode } from 'react'
import { SwitchButton, SwitchField } from 'react-aria-components'
import { FieldFoot } from './field.tsx'
import styles from './switch.module.css'

export type SwitchProps = {
  children?: ReactNode
  name?: string
  on: boolean
  onChange: (on: boolean) => void
  disabled?: boolean
  description?: ReactNode
  'aria-label'?: string
}

/** A setting that is on or off and takes effect at once. */
export function Switch({ children, on, onChange, disabled = false, description, ...props }: SwitchProps) {
  return (
    <SwitchField {...props} className={styles['field'] ?? ''} isSelected={on} onChange={onChange} isDisabled={disabled}>
      <SwitchButton className={styles['switch'] ?? ''}>
        {children && <span className={styles['words']}>{children}</span>}
        <span className={styles['track']} aria-hidden="true">
          <span className={styles['thumb']} />
        </span>
      </SwitchButton>
      <FieldFoot description={description} />
    </SwitchField>
  )
}
