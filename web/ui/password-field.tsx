import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Input, ToggleButton } from 'react-aria-components'
import control from './control.module.css'
import { classes } from './classes.ts'
import styles from './password-field.module.css'
import { TextFrame, type TextFrameProps } from './text-field.tsx'

export type PasswordFieldProps = TextFrameProps & {
  /** `current-password` to log in, `new-password` to choose one: for password managers. */
  autoComplete: 'current-password' | 'new-password'
}

/** A password field with a button that shows its text. */
export function PasswordField(props: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <TextFrame {...props} type={shown ? 'text' : 'password'} spellCheck="false">
      <div className={control['with-button']}>
        <Input className={control['box'] ?? ''} autoCapitalize="none" />
        <ToggleButton
          isSelected={shown}
          onChange={setShown}
          className={classes(control['icon'], styles['toggle'])}
          aria-label="Show password"
        >
          {shown ? <EyeOff /> : <Eye />}
        </ToggleButton>
      </div>
    </TextFrame>
  )
}
