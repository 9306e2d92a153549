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
import { SideNavLinks, type NavItem } from '../../shell/side-nav-links.tsx'

const mainLinks: NavItem[] = [
  { to: '/admin', label: 'Dashboard', icon: LayoutDashboard, exact: true },
  { to: '/admin/users', label: 'Artists', icon: Users },
  { to: '/admin/subscriptions', label: 'Recent Orders', icon: ReceiptText },
  { to: '/admin/scheduled-posts', label: 'Scheduled Posts', icon: CalendarClock },
  { to: '/admin/appointments', label: 'Appointments', icon: CalendarCheck },
  { to: '/admin/media', label: 'Media', icon: Images },
  { to: '/admin/websites', label: 'Websites', icon: PanelsTopLeft },
  { to: '/admin/social-accounts', label: 'Social Accounts', icon: Share2 },
]
const secondaryLinks: NavItem[] = [
  { to: '/admin/settings', label: 'Settings', icon: Settings },
  { to: '/admin/profile', label: 'Admin Profile', icon: UserPen },
]

export function AdminNav({ onNavigate }: { onNavigate?: () => void }) {
  return (
    <SideNavLinks
      label="Admin"
      mainLinks={mainLinks}
      button={{ to: '/new-post', label: 'User Dashboard', icon: PenLine }}
      secondaryLinks={secondaryLinks}
      onNavigate={onNavigate}
    />
  )
}
