import { useState, type ReactNode, type RefObject } from 'react'
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuTrigger,
  Popover,
  Separator,
  type MenuItemProps as AriaMenuItemProps,
} from 'react-aria-components'
import { classes } from './classes.ts'
import control from './control.module.css'
import styles from './menu.module.css'
import { useBackToClose } from './use-back-to-close.ts'

export type MenuProps = {
  /** The button that opens it: a Button or an IconButton. */
  trigger: ReactNode
  /** MenuItem and MenuLine. */
  children: ReactNode
  /** The accessible name. */
  label: string
}

/** A button with a menu of actions. */
export function Menu({ trigger, children, label }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false)
  useBackToClose(isOpen)
  return (
    <MenuTrigger onOpenChange={setIsOpen}>
      {trigger}
      <Popover className={classes(control['list'], styles['popover'])} placement="bottom end" offset={6}>
        <AriaMenu className={styles['menu'] ?? ''} aria-label={label}>
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}

export type MenuListProps = Omit<MenuProps, 'trigger'> & {
  /** The button that opened it. It sets its own `aria-expanded`. */
  trigger: RefObject<HTMLElement | null>
  open: boolean
  onClose: () => void
  /** Content above the items: the signed-in user. */
  head: ReactNode
}

/** The popover of a menu, for a button whose menu is loaded lazily. */
export function MenuList({ trigger, open, onClose, children, label, head }: MenuListProps) {
  useBackToClose(open)
  return (
    <Popover
      aria-label={label}
      triggerRef={trigger}
      isOpen={open}
      onOpenChange={onClose}
      className={classes(control['list'], styles['popover'])}
      placement="bottom end"
      offset={6}
    >
      <div className={styles['head']}>{head}</div>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the focus moves into an opened menu */}
      <AriaMenu className={styles['menu'] ?? ''} aria-label={label} autoFocus="first" onClose={onClose}>
        {children}
      </AriaMenu>
    </Popover>
  )
}

export type MenuItemProps = Omit<AriaMenuItemProps, 'className' | 'style' | 'children' | 'textValue'> & {
  children: string
  icon?: ReactNode
  tone?: 'plain' | 'danger'
}

/** One action (`onAction`), or one link (`href`). */
export function MenuItem({ children, icon, tone = 'plain', ...props }: MenuItemProps) {
  return (
    <AriaMenuItem
      {...props}
      textValue={children}
      className={classes(control['item'], styles['item'], tone === 'danger' && styles['danger'])}
    >
      {icon}
      {children}
    </AriaMenuItem>
  )
}

/** A separator between groups of items. */
export function MenuLine() {
  return <Separator className={styles['line'] ?? ''} />
}
