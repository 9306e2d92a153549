import type { ReactNode } from 'react'
import {
  Input,
  TextField as AriaTextField,
  type InputProps,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components'
import { FieldFoot, FieldLabel, fieldProps, type FieldTexts } from './field.tsx'
import control from './control.module.css'
import { classes } from './classes.ts'
import styles from './text-field.module.css'

export type TextFrameProps = FieldTexts & {
  name?: string
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  disabled?: boolean
  /** Shows `n/max` below the field. The caller rejects longer texts. */
  max?: number
  /** A word or link at the end of the label. */
  aside?: ReactNode
}

/** Label and foot of a field for text, around its control. */
export function TextFrame({
  label,
  isLabelHidden,
  description,
  error,
  max,
  aside,
  disabled,
  children,
  ...props
}: TextFrameProps &
  Pick<AriaTextFieldProps, 'type' | 'autoComplete' | 'inputMode' | 'maxLength' | 'spellCheck'> & {
    children: ReactNode
  }) {
  return (
    <AriaTextField {...props} {...fieldProps({ error, disabled })}>
      <FieldLabel label={label} isLabelHidden={isLabelHidden} aside={aside} />
      {children}
      <FieldFoot description={description} error={error} count={props.value.length} max={max} />
    </AriaTextField>
  )
}

export type TextFieldProps = TextFrameProps &
  Pick<InputProps, 'inputMode' | 'enterKeyHint'> & {
    type?: 'text' | 'email' | 'search' | 'tel' | 'url' | 'time'
    autoComplete?: string
    placeholder?: string
    /** Limits typing: for a search, where an error message would be too much. */
    maxLength?: number
  }

export function TextField({ placeholder, enterKeyHint, ...frame }: TextFieldProps) {
  return (
    <TextFrame {...frame}>
      <Input
        className={classes(control['box'], styles['input'])}
        dir={frame.type === undefined ? 'auto' : undefined}
        placeholder={placeholder}
        enterKeyHint={enterKeyHint}
      />
    </TextFrame>
  )
}
