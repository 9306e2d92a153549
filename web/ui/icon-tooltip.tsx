import type { RefObject } from 'react'
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components'
import styles from './icon-button.module.css'

export type IconTooltipProps = {
  trigger: RefObject<HTMLElement | null>
  open: boolean
  /** The pointer moved from the button onto the tooltip, which stays open. */
  onEnter: () => void
  onLeave: () => void
  label: string
}

/** The tooltip of an icon button. */
export function IconTooltip({ trigger, open, onEnter, onLeave, label }: IconTooltipProps) {
  return (
    <TooltipTriggerStateContext value={{ isOpen: open, shouldSkipAnimation: false, open: onEnter, close: onLeave }}>
      <Tooltip triggerRef={trigger} className={styles['tip'] ?? ''} offset={6}>
        {label}
      </Tooltip>
    </TooltipTriggerStateContext>
  )
}
