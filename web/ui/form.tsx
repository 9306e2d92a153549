import type { FormEvent, ReactNode } from 'react'
import styles from './form.module.css'

export type FormProps = {
  children: ReactNode
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** For a button that stands elsewhere: at the foot of a dialog. */
  id?: string
  /** What the form is for, when no heading says it. */
  'aria-label'?: string
  'aria-labelledby'?: string
}

/**
 * A column of fields. The browser's own checks and bubbles are off: fields show our messages (see useForm). Sent by the browser
 * itself, before the page has woken up, it must not put what was typed into the address: hence the method.
 */
export function Form({ children, ...props }: FormProps) {
  return (
    <form {...props} method="post" noValidate className={styles['form']}>
      {children}
    </form>
  )
}
