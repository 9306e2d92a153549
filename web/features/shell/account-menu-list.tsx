import { LogOut } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { MenuItem, MenuLine, MenuList } from '../../ui/menu.tsx'
import text from '../../ui/text.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './account-menu.module.css'

export type AccountMenuListProps = {
  /** The button that opens it. The menu is placed below it. */
  trigger: RefObject<HTMLElement | null>
  open: boolean
  onClose: () => void
  name: string
  email: string | undefined
  links: readonly { href: string; label: string; icon: ReactNode }[]
  onLogout: () => void
  isLoggingOut: boolean
}

export function AccountMenuList({
  trigger,
  open,
  onClose,
  name,
  email,
  links,
  onLogout,
  isLoggingOut,
}: AccountMenuListProps) {
  return (
    <MenuList
      trigger={trigger}
      open={open}
      onClose={onClose}
      label="Account"
      head={
        <>
          <p className={text['strong']}>{name}</p>
          {email && <p className={classes(text['note'], styles['email'])}>{email}</p>}
        </>
      }
    >
      {links.map(({ href, label, icon }) => (
        <MenuItem key={href} href={href} icon={icon}>
          {label}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onAction={onLogout} isDisabled={isLoggingOut} icon={<LogOut />}>
        Logout
      </MenuItem>
    </MenuList>
  )
}
