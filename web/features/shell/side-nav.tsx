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
import { SideNavLinks, type Place } from './side-nav-links.tsx'
import { useSubscriptionLabel } from './use-subscription-label.ts'

const work: Place[] = [
  { to: '/new-post', label: 'New Post', icon: PenLine },
  { to: '/drafts', label: 'Drafts', icon: NotebookPen },
  { to: '/scheduled-posts', label: 'Scheduled Posts', icon: CalendarClock },
  { to: '/queue', label: 'Queue', icon: ListOrdered },
  { to: '/appointments', label: 'Appointments', icon: CalendarCheck },
  { to: '/media', label: 'Media', icon: Images },
  { to: '/website-builder', label: 'Website Builder', icon: PanelsTopLeft },
  { to: '/social-accounts', label: 'Social Accounts', icon: Share2 },
]
const rest: Place[] = [
  { to: '/help', label: 'Help', icon: CircleQuestionMark },
  { to: '/settings', label: 'Settings', icon: Settings },
]

/** The places of the signed-in app. `onLeave` is called when one is chosen. */
export function SideNav({ onLeave }: { onLeave?: () => void }) {
  const label = useSubscriptionLabel()
  return (
    <SideNavLinks
      label="App"
      work={work}
      button={{ to: '/subscription', label, icon: Star }}
      rest={rest}
      onLeave={onLeave}
    />
  )
}
