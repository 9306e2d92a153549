import { LogOut } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { MenuItem, MenuLine, MenuList } from '../../ui/menu.tsx'
import styles from './account-menu.module.css'

export type AccountMenuListProps = {
  /** The button that opened it. */
  trigger: RefObject<HTMLElement | null>
  open: boolean
  onClose: () => void
  name: string
  email: string | undefined
  places: readonly { href: string; label: string; icon: ReactNode }[]
  onLogout: () => void
  leaving: boolean
}

/** What drops from the account's button. */
export function AccountMenuList({
  trigger,
  open,
  onClose,
  name,
  email,
  places,
  onLogout,
  leaving,
}: AccountMenuListProps) {
  return (
    <MenuList
      trigger={trigger}
      open={open}
      onClose={onClose}
      label="Account"
      head={
        <>
          <p className={styles['name']}>{name}</p>
          {email && <p className={styles['email']}>{email}</p>}
        </>
      }
    >
      {places.map(({ href, label, icon }) => (
        <MenuItem key={href} href={href} icon={icon}>
          {label}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onAction={onLogout} isDisabled={leaving} icon={<LogOut aria-hidden="true" />}>
        Logout
      </MenuItem>
    </MenuList>
  )
}
