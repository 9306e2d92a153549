import { ShieldUser, Star, UserPen } from 'lucide-react'
import { useSessionUser } from '../../lib/session.ts'
import { AccountMenu } from './account-menu.tsx'
import { useSubscriptionLabel } from './use-subscription-label.ts'

const profile = { href: '/profile', label: 'Edit Profile', icon: <UserPen /> }
const admin = { href: '/admin', label: 'Admin', icon: <ShieldUser /> }

/** The account menu of the artist's area. Staff also get a link to the admin area. */
export function UserMenu() {
  const user = useSessionUser()
  const subscription = {
    href: '/subscription',
    label: useSubscriptionLabel(),
    icon: <Star />,
  }
  return <AccountMenu links={[profile, subscription, ...(user?.isAdmin ? [admin] : [])]} />
}
