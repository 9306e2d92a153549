import { ShieldUser, Star, UserPen } from 'lucide-react'
import { useSessionUser } from '../../lib/session.ts'
import { MenuItem } from '../../ui/menu.tsx'
import { AccountMenu } from './account-menu.tsx'

/** The artist's menu (spec 2, User shell); staff find the way to their own area in it. */
export function UserMenu() {
  const user = useSessionUser()
  return (
    <AccountMenu>
      <MenuItem href="/profile" icon={<UserPen aria-hidden="true" />}>
        Edit Profile
      </MenuItem>
      <MenuItem href="/subscription" icon={<Star aria-hidden="true" />}>
        Subscribe Now
      </MenuItem>
      {user?.isAdmin && (
        <MenuItem href="/admin" icon={<ShieldUser aria-hidden="true" />}>
          Admin
        </MenuItem>
      )}
    </AccountMenu>
  )
}
