import { Eye, EyeOff } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Input, TextField as AriaTextField, ToggleButton } from 'react-aria-components'
import { FieldFoot, FieldLabel, fieldClass, type FieldTexts } from './field.tsx'
import control from './control.module.css'
import { classes } from './classes.ts'
import styles from './password-field.module.css'

export type PasswordFieldProps = FieldTexts & {
  name?: string
  value: string
  onChange: (value: string) => void
  /** `current-password` to log in, `new-password` to choose one: for password managers. */
  autoComplete: 'current-password' | 'new-password'
  disabled?: boolean
  aside?: ReactNode
}

/** A password field with a button that shows its text. */
export function PasswordField({
  label,
  labelHidden,
  description,
  error,
  disabled,
  aside,
  ...props
}: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <AriaTextField
      {...props}
      type={shown ? 'text' : 'password'}
      className={fieldClass}
      isInvalid={error !== undefined}
      isDisabled={disabled ?? false}
      validationBehavior="aria"
      spellCheck="false"
    >
      <FieldLabel label={label} labelHidden={labelHidden} aside={aside} />
      <div className={styles['box']}>
        <Input className={classes(control['box'], styles['input'])} autoCapitalize="none" />
        <ToggleButton
          isSelected={shown}
          onChange={setShown}
          className={styles['toggle'] ?? ''}
          aria-label="Show password"
        >
          {shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
        </ToggleButton>
      </div>
      <FieldFoot description={description} error={error} />
    </AriaTextField>
  )
}
