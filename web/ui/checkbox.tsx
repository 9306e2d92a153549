import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { CheckboxButton, CheckboxField } from 'react-aria-components'
import control from './control.module.css'
import { classes } from './classes.ts'
import styles from './checkbox.module.css'
import { FieldFoot, fieldProps } from './field.tsx'

export type CheckboxProps = {
  /** The label; may contain links. */
  children?: ReactNode
  name?: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** The indeterminate state: some of its items are selected. */
  partly?: boolean
  disabled?: boolean
  description?: ReactNode
  error?: string
  /** Required without a visible label. */
  'aria-label'?: string
}

export function Checkbox({
  children,
  checked,
  onChange,
  partly = false,
  disabled,
  description,
  error,
  ...props
}: CheckboxProps) {
  return (
    <CheckboxField
      {...props}
      {...fieldProps({ error, disabled })}
      className={styles['field'] ?? ''}
      isSelected={checked}
      onChange={onChange}
      isIndeterminate={partly}
    >
      <CheckboxButton className={classes(control['choice'], styles['checkbox'])}>
        <span className={styles['box']} aria-hidden="true">
          {partly ? <Minus /> : <Check />}
        </span>
        {children && <span>{children}</span>}
      </CheckboxButton>
      {(description || error) && (
        <div className={styles['foot']}>
          <FieldFoot description={description} error={error} />
        </div>
      )}
    </CheckboxField>
  )
}
