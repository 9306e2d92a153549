import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import { classes } from './classes.ts'
import control from './control.module.css'
import styles from './icon-button.module.css'
import type { IconTooltipProps } from './icon-tooltip.tsx'
import { lazyComponent, useHasBeenTrue } from './lazy-component.tsx'

type OwnProps =
  | 'children'
  | 'className'
  | 'style'
  | 'aria-label'
  | 'onHoverEnd'
  | 'onBlur'
  | 'onPressStart'
  | 'onKeyDown'

export type IconButtonProps = Omit<AriaButtonProps, OwnProps> & {
  /** The accessible name, also shown as a tooltip on hover and focus. */
  label: string
  children: ReactNode
  size?: 'small' | 'medium'
  /** `filled` on top of pictures. */
  variant?: 'quiet' | 'filled'
}

/** Loaded at the first hover or keyboard focus: touch users never need it. */
const IconTooltip = lazyComponent<IconTooltipProps>(
  async () => (await import('./icon-tooltip.tsx')).IconTooltip,
  () => null,
)

/** The time before the tooltip opens, and before it closes after the pointer has left. */
const [openDelayMs, closeDelayMs] = [500, 300]

/** A button with only an icon, where there is no room for a text. */
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
  const [isTipShown, setIsTipShown] = useState(false)
  const wasTipShown = useHasBeenTrue(isTipShown)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const showTip = (shown: boolean, delayMs: number) => {
    clearTimeout(timer.current)
    if (delayMs === 0) setIsTipShown(shown)
    else timer.current = setTimeout(() => setIsTipShown(shown), delayMs)
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
          IconTooltip.preload()
          showTip(true, openDelayMs)
        }}
        onHoverEnd={() => showTip(false, closeDelayMs)}
        onFocus={(event) => {
          onFocus?.(event)
          if (event.target.matches(':focus-visible')) showTip(true, 0)
        }}
        onBlur={() => showTip(false, 0)}
        onPressStart={() => showTip(false, 0)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') showTip(false, 0)
          event.continuePropagation()
        }}
      >
        {children}
      </AriaButton>
      {wasTipShown && (
        <IconTooltip
          trigger={button}
          open={isTipShown}
          onEnter={() => showTip(true, 0)}
          onLeave={() => showTip(false, closeDelayMs)}
          label={label}
        />
      )}
    </>
  )
}
