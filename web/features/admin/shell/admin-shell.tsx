import { Outlet } from '@tanstack/react-router'
import { PenLine, UserPen } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { AccountMenu } from '../../shell/account-menu.tsx'
import { ShellFrame } from '../../shell/shell-frame.tsx'
import { AdminNav } from './admin-nav.tsx'
import { useStaffCheck } from './use-staff-check.ts'

const links = [
  { href: '/admin/profile', label: 'Admin Profile', icon: <UserPen /> },
  { href: '/new-post', label: 'User Dashboard', icon: <PenLine /> },
]

export function AdminShell() {
  useStaffCheck()
  return (
    <ShellFrame wide badge={<Badge tone="ready">ADMIN</Badge>} nav={AdminNav} account={<AccountMenu links={links} />}>
      <Outlet />
    </ShellFrame>
  )
}
