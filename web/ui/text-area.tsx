import type { ReactNode } from 'react'
import { TextArea as AriaTextArea, TextField as AriaTextField } from 'react-aria-components'
import { FieldFoot, FieldLabel, fieldClass, type FieldTexts } from './field.tsx'
import control from './control.module.css'
import { classes } from './classes.ts'
import styles from './text-area.module.css'

export type TextAreaProps = FieldTexts & {
  name?: string
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  placeholder?: string
  disabled?: boolean
  rows?: number
  /** Shows `n/max` below the field. Longer texts are not cut; the caller rejects them. */
  max?: number
  aside?: ReactNode
}

/** A text area that grows with its content. */
export function TextArea({
  label,
  labelHidden,
  description,
  error,
  max,
  aside,
  placeholder,
  disabled,
  rows = 4,
  ...props
}: TextAreaProps) {
  return (
    <AriaTextField
      {...props}
      className={fieldClass}
      isInvalid={error !== undefined}
      isDisabled={disabled ?? false}
      validationBehavior="aria"
    >
      <FieldLabel label={label} labelHidden={labelHidden} aside={aside} />
      <AriaTextArea className={classes(control['box'], styles['area'])} placeholder={placeholder} rows={rows} />
      <FieldFoot description={description} error={error} count={props.value.length} max={max} />
    </AriaTextField>
  )
}
