import type { ReactNode } from 'react'
import { Button as AriaButton, ProgressBar, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import { buttonClass, type ButtonStyle } from './button-class.ts'
import styles from './button.module.css'
import { Spinner } from './spinner.tsx'

export type ButtonProps = Omit<AriaButtonProps, 'children' | 'className' | 'style' | 'isPending'> &
  ButtonStyle & {
    children: ReactNode
    /** A lucide icon before the text. */
    icon?: ReactNode
    /** Work is running: the button keeps its size and focus, and ignores presses. */
    pending?: boolean
    /** The text while pending ("Posting..."); without it the button keeps its width and shows a spinner. */
    pendingLabel?: string
  }

/**
 * A button. One `primary` (red) per screen or dialog; `ink` for a strong second, `secondary` for the rest, `quiet` in
 * rows and toolbars, `danger` for irreversible actions.
 */
export function Button({ children, icon, pending = false, pendingLabel, variant, size, wide, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} isPending={pending} className={buttonClass({ variant, size, wide })}>
      {pending && (
        <ProgressBar
          aria-label={pendingLabel ?? 'Working'}
          isIndeterminate
          className={pendingLabel ? styles['ring'] : styles['ring-over']}
        >
          <Spinner />
        </ProgressBar>
      )}
      <span className={pending && !pendingLabel ? styles['hidden'] : styles['content']}>
        {!(pending && pendingLabel) && icon}
        {pending && pendingLabel ? pendingLabel : children}
      </span>
    </AriaButton>
  )
}
