import type { ReactNode } from 'react'
import { Button as AriaButton, Tooltip, TooltipTrigger, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import { classes } from './classes.ts'
import styles from './icon-button.module.css'

export type IconButtonProps = Omit<AriaButtonProps, 'children' | 'className' | 'style' | 'aria-label'> & {
  /** What it does, in words: read aloud and shown on hover and focus. */
  label: string
  children: ReactNode
  size?: 'small' | 'medium'
  /** `filled` stands on pictures. */
  variant?: 'quiet' | 'filled'
}

/** A button with an icon alone, for places where its word would be noise. */
export function IconButton({ label, children, size = 'medium', variant = 'quiet', ...props }: IconButtonProps) {
  return (
    <TooltipTrigger delay={500}>
      <AriaButton {...props} aria-label={label} className={classes(styles['button'], styles[size], styles[variant])}>
        {children}
      </AriaButton>
      <Tooltip className={styles['tip'] ?? ''} offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  )
}
