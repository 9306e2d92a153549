import { TextArea as AriaTextArea } from 'react-aria-components'
import control from './control.module.css'
import { classes } from './classes.ts'
import styles from './text-area.module.css'
import { TextFrame, type TextFrameProps } from './text-field.tsx'

/** A text area that grows with its content. */
export function TextArea({
  placeholder,
  rows = 4,
  ...frame
}: TextFrameProps & { placeholder?: string; rows?: number }) {
  return (
    <TextFrame {...frame}>
      <AriaTextArea
        className={classes(control['box'], styles['area'])}
        dir="auto"
        placeholder={placeholder}
        rows={rows}
      />
    </TextFrame>
  )
}
