import { LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { MenuItem, MenuLine, MenuList, type MenuListProps } from '../../ui/menu.tsx'
import text from '../../ui/text.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './account-menu.module.css'

export type AccountMenuListProps = Pick<MenuListProps, 'trigger' | 'open' | 'onClose'> & {
  name: string
  email: string | undefined
  links: readonly { href: string; label: string; icon: ReactNode }[]
  onLogout: () => void
  isLoggingOut: boolean
}

export function AccountMenuList({ name, email, links, onLogout, isLoggingOut, ...menu }: AccountMenuListProps) {
  return (
    <MenuList
      {...menu}
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
