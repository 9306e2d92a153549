import {
  CalendarCheck,
  CalendarClock,
  Images,
  LayoutDashboard,
  PanelsTopLeft,
  PenLine,
  ReceiptText,
  Settings,
  Share2,
  UserPen,
  Users,
} from 'lucide-react'
import { SideNavLinks, type Place } from '../../shell/side-nav-links.tsx'

const places: Place[] = [
  { to: '/admin', label: 'Dashboard', icon: LayoutDashboard, exact: true },
  { to: '/admin/users', label: 'Artists', icon: Users },
  { to: '/admin/subscriptions', label: 'Recent Orders', icon: ReceiptText },
  { to: '/admin/scheduled-posts', label: 'Scheduled Posts', icon: CalendarClock },
  { to: '/admin/appointments', label: 'Appointments', icon: CalendarCheck },
  { to: '/admin/media', label: 'Media', icon: Images },
  { to: '/admin/websites', label: 'Websites', icon: PanelsTopLeft },
  { to: '/admin/social-accounts', label: 'Social Accounts', icon: Share2 },
]
const rest: Place[] = [
  { to: '/admin/settings', label: 'Settings', icon: Settings },
  { to: '/admin/profile', label: 'Admin Profile', icon: UserPen },
]

export function AdminNav({ onLeave }: { onLeave?: () => void }) {
  return (
    <SideNavLinks
      label="Admin"
      work={places}
      button={{ to: '/new-post', label: 'User Dashboard', icon: PenLine }}
      rest={rest}
      onLeave={onLeave}
    />
  )
}
