import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import { classes } from './classes.ts'
import styles from './icon-button.module.css'
import type { IconTipProps } from './icon-tip.tsx'
import { lazyComponent, useEver } from './lazy-component.tsx'

type Taken = 'children' | 'className' | 'style' | 'aria-label' | 'onHoverEnd' | 'onBlur' | 'onPressStart' | 'onKeyDown'

export type IconButtonProps = Omit<AriaButtonProps, Taken> & {
  /** What it does, in words: read aloud and shown on hover and focus. */
  label: string
  children: ReactNode
  size?: 'small' | 'medium'
  /** `filled` stands on pictures. */
  variant?: 'quiet' | 'filled'
}

/** Its code comes with the first hover: nobody who uses a thumb or hurries needs it. */
const IconTip = lazyComponent<IconTipProps>(
  async () => (await import('./icon-tip.tsx')).IconTip,
  () => null,
)

/** Milliseconds a pointer rests before the word shows, and until it goes once the pointer has left. */
const [restMs, stayMs] = [500, 300]

/** A button with an icon alone, for places where its word would be noise. */
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
        className={classes(styles['button'], styles[size], styles[variant])}
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
