import { ShieldUser, Star, UserPen } from 'lucide-react'
import { useSessionUser } from '../../lib/session.ts'
import { AccountMenu } from './account-menu.tsx'

const places = [
  { href: '/profile', label: 'Edit Profile', icon: <UserPen aria-hidden="true" /> },
  { href: '/subscription', label: 'Subscribe Now', icon: <Star aria-hidden="true" /> },
]
const withAdmin = [...places, { href: '/admin', label: 'Admin', icon: <ShieldUser aria-hidden="true" /> }]

/** The artist's menu; staff find the way to their own area in it. */
export function UserMenu() {
  const user = useSessionUser()
  return <AccountMenu places={user?.isAdmin ? withAdmin : places} />
}
