import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import { classes } from './classes.ts'
import control from './control.module.css'
import styles from './icon-button.module.css'
import type { IconTipProps } from './icon-tip.tsx'
import { lazyComponent, useEver } from './lazy-component.tsx'

type Taken = 'children' | 'className' | 'style' | 'aria-label' | 'onHoverEnd' | 'onBlur' | 'onPressStart' | 'onKeyDown'

export type IconButtonProps = Omit<AriaButtonProps, Taken> & {
  /** The accessible name, also shown as a tooltip on hover and focus. */
  label: string
  children: ReactNode
  size?: 'small' | 'medium'
  /** `filled` on top of pictures. */
  variant?: 'quiet' | 'filled'
}

/** Loaded at the first hover: touch users never need it. */
const IconTip = lazyComponent<IconTipProps>(
  async () => (await import('./icon-tip.tsx')).IconTip,
  () => null,
)

/** Milliseconds before the tooltip opens, and before it closes after the pointer left. */
const [restMs, stayMs] = [500, 300]

/** A button with only an icon, where a text would be too much. */
export function IconButton({
  label,
  children,
  size = 'medium',
  variant = 'quiet',
  onHoverStart,
  onFocus,
  ...props
}: IconButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [tipped, setTipped] = useState(false)
  const ever = useEver(tipped)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const tip = (shown: boolean, delay: number) => {
    clearTimeout(timer.current)
    if (delay === 0) setTipped(shown)
    else timer.current = setTimeout(() => setTipped(shown), delay)
  }
  return (
    <>
      <AriaButton
        {...props}
        ref={button}
        aria-label={label}
        className={classes(control['icon'], styles['button'], styles[size], styles[variant])}
        onHoverStart={(event) => {
          onHoverStart?.(event)
          IconTip.preload()
          tip(true, restMs)
        }}
        onHoverEnd={() => tip(false, stayMs)}
        onFocus={(event) => {
          onFocus?.(event)
          if (event.target.matches(':focus-visible')) tip(true, 0)
        }}
        onBlur={() => tip(false, 0)}
        onPressStart={() => tip(false, 0)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') tip(false, 0)
          event.continuePropagation()
        }}
      >
        {children}
      </AriaButton>
      {ever && (
        <IconTip
          trigger={button}
          open={tipped}
          onEnter={() => tip(true, 0)}
          onLeave={() => tip(false, stayMs)}
          label={label}
        />
      )}
    </>
  )
}
