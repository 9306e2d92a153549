import type { HTMLAttributes, ReactNode, Ref } from 'react'
import { Input, TextField as AriaTextField } from 'react-aria-components'
import { FieldFoot, FieldLabel, fieldClass, type FieldTexts } from './field.tsx'
import control from './control.module.css'
import { classes } from './classes.ts'
import styles from './text-field.module.css'

export type TextFieldProps = FieldTexts & {
  name?: string
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  type?: 'text' | 'email' | 'search' | 'tel' | 'url' | 'time'
  autoComplete?: string
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  enterKeyHint?: HTMLAttributes<HTMLInputElement>['enterKeyHint']
  placeholder?: string
  disabled?: boolean
  autoFocus?: boolean
  /** Shows `n/max` below the field. Longer texts are not cut; the caller rejects them. */
  max?: number
  /** Limits typing: for a search, where an error message would be too much. */
  maxLength?: number
  /** A word or link at the end of the label. */
  aside?: ReactNode
  inputRef?: Ref<HTMLInputElement>
}

export function TextField({
  label,
  labelHidden,
  description,
  error,
  max,
  aside,
  placeholder,
  disabled,
  inputRef,
  autoFocus,
  enterKeyHint,
  ...props
}: TextFieldProps) {
  return (
    <AriaTextField
      {...props}
      className={fieldClass}
      isInvalid={error !== undefined}
      isDisabled={disabled ?? false}
      validationBehavior="aria"
    >
      <FieldLabel label={label} labelHidden={labelHidden} aside={aside} />
      <Input
        ref={inputRef}
        className={classes(control['box'], styles['input'])}
        placeholder={placeholder}
        enterKeyHint={enterKeyHint}
        // Callers set it only where typing is the first thing to do on the screen.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={autoFocus}
      />
      <FieldFoot description={description} error={error} count={props.value.length} max={max} />
    </AriaTextField>
  )
}
