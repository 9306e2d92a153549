import type { ReactNode } from 'react'
import { Button as AriaButton, ProgressBar, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import { buttonClass, type ButtonLook } from './button-look.ts'
import styles from './button.module.css'
import { Spinner } from './spinner.tsx'

export type ButtonProps = Omit<AriaButtonProps, 'children' | 'className' | 'style' | 'isPending'> &
  ButtonLook & {
    children: ReactNode
    /** A lucide icon, shown before the words. */
    icon?: ReactNode
    /** Work is under way: the button keeps its place and its focus, and takes no further press. */
    pending?: boolean
    /** Words while pending ("Posting..."); without them the button keeps its width and shows a ring. */
    pendingLabel?: string
  }

/**
 * A button. One `primary` (the red stamp) per screen or dialog; `ink` for a strong second, `secondary` for the rest,
 * `quiet` in rows and toolbars, `danger` for what cannot be undone.
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
