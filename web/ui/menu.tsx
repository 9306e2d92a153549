import type { ReactNode } from 'react'
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuTrigger, Popover, Separator, type MenuItemProps as AriaMenuItemProps } from 'react-aria-components'
import { classes } from './classes.ts'
import control from './control.module.css'
import styles from './menu.module.css'

export type MenuProps = {
  /** The button that opens it: a Button or an IconButton. */
  trigger: ReactNode
  /** MenuItem and MenuLine. */
  children: ReactNode
  /** What the menu is about, for screen readers. */
  label: string
  /** Stands above the items: who is signed in, say. */
  head?: ReactNode
  align?: 'start' | 'end'
}

/** A menu of things to do. */
export function Menu({ trigger, children, label, head, align = 'end' }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={classes(control['list'], styles['popover'])} placement={align === 'end' ? 'bottom end' : 'bottom start'} offset={6}>
        {head && <div className={styles['head']}>{head}</div>}
        <AriaMenu className={styles['menu'] ?? ''} aria-label={label}>
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}

export type MenuItemProps = Omit<AriaMenuItemProps, 'className' | 'style' | 'children' | 'textValue'> & {
  children: string
  icon?: ReactNode
  tone?: 'plain' | 'danger'
}

/** One thing to do (`onAction`), or one place to go (`href`). */
export function MenuItem({ children, icon, tone = 'plain', ...props }: MenuItemProps) {
  return (
    <AriaMenuItem {...props} textValue={children} className={classes(control['item'], styles['item'], tone === 'danger' && styles['danger'])}>
      {icon}
      {children}
    </AriaMenuItem>
  )
}

/** A line between groups of items. */
export function MenuLine() {
  return <Separator className={styles['line'] ?? ''} />
}
