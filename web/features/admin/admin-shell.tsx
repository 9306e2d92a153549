import { Outlet } from '@tanstack/react-router'
import { PenLine, UserPen } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { AccountMenu } from '../shell/account-menu.tsx'
import { ShellFrame } from '../shell/shell-frame.tsx'
import { AdminNav } from './admin-nav.tsx'

/** The shell of staff (spec 2, Layout): an ADMIN badge, their own places and menu. */
export function AdminShell() {
  return (
    <ShellFrame
      wide
      badge={<Badge tone="ready">ADMIN</Badge>}
      nav={(onLeave) => <AdminNav {...(onLeave ? { onLeave } : {})} />}
      account={
        <AccountMenu>
          <MenuItem href="/admin/profile" icon={<UserPen aria-hidden="true" />}>
            Admin Profile
          </MenuItem>
          <MenuItem href="/new-post" icon={<PenLine aria-hidden="true" />}>
            User Dashboard
          </MenuItem>
        </AccountMenu>
      }
    >
      <Outlet />
    </ShellFrame>
  )
}
