import {
  CalendarCheck,
  CalendarClock,
  CircleQuestionMark,
  Images,
  ListOrdered,
  NotebookPen,
  PanelsTopLeft,
  PenLine,
  Settings,
  Share2,
  Star,
} from 'lucide-react'
import { SideNavLinks, type NavItem } from './side-nav-links.tsx'
import { useSubscriptionLabel } from './use-subscription-label.ts'

const mainLinks: NavItem[] = [
  { to: '/new-post', label: 'New Post', icon: PenLine },
  { to: '/drafts', label: 'Drafts', icon: NotebookPen },
  { to: '/scheduled-posts', label: 'Scheduled Posts', icon: CalendarClock },
  { to: '/queue', label: 'Queue', icon: ListOrdered },
  { to: '/appointments', label: 'Appointments', icon: CalendarCheck },
  { to: '/media', label: 'Media', icon: Images },
  { to: '/website-builder', label: 'Website Builder', icon: PanelsTopLeft },
  { to: '/social-accounts', label: 'Social Accounts', icon: Share2 },
]
const secondaryLinks: NavItem[] = [
  { to: '/help', label: 'Help', icon: CircleQuestionMark },
  { to: '/settings', label: 'Settings', icon: Settings },
]

export function SideNav({ onNavigate }: { onNavigate?: () => void }) {
  const label = useSubscriptionLabel()
  return (
    <SideNavLinks
      label="App"
      mainLinks={mainLinks}
      button={{ to: '/subscription', label, icon: Star }}
      secondaryLinks={secondaryLinks}
      onNavigate={onNavigate}
    />
  )
}
