import type { FormEvent, ReactNode } from 'react'
import styles from './form.module.css'

export type FormProps = {
  children: ReactNode
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** For a submit button outside the form, in a dialog's footer. */
  id?: string
  /** The form's name, when no heading has it. */
  'aria-label'?: string
}

/**
 * A column of fields. Native validation is off: fields show our messages (see useForm). The method is POST, because a
 * native submit before hydration would otherwise put what was typed into the URL.
 */
export function Form({ children, ...props }: FormProps) {
  return (
    <form {...props} method="post" noValidate className={styles['form']}>
      {children}
    </form>
  )
}
