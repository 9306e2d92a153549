import styles from './button.module.css'
import { classes } from './classes.ts'

export type ButtonLook = {
  variant?: 'primary' | 'ink' | 'secondary' | 'quiet' | 'danger' | undefined
  /** `small` 36 px (44 px touch target), `medium` 44 px, `large` 52 px. */
  size?: 'small' | 'medium' | 'large' | undefined
  /** As wide as its column. */
  wide?: boolean | undefined
}

/** The class of everything with a button's look: buttons, links, file triggers. */
export function buttonClass({ variant = 'secondary', size = 'medium', wide = false }: ButtonLook): string {
  return classes(styles['button'], styles[variant], styles[size], wide && styles['wide'])
}
