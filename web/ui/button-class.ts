import styles from './button.module.css'
import { classes } from './classes.ts'

export type ButtonStyle = {
  variant?: 'primary' | 'ink' | 'secondary' | 'quiet' | 'danger'
  /** `small` 36 px (44 px touch target), `medium` 44 px, `large` 52 px. */
  size?: 'small' | 'medium' | 'large'
  /** As wide as its column. */
  wide?: boolean
}

/** The class of everything with the style of a button: buttons, links, file triggers. */
export function buttonClass({ variant = 'secondary', size = 'medium', wide = false }: ButtonStyle): string {
  return classes(styles['button'], styles[variant], styles[size], wide && styles['wide'])
}
