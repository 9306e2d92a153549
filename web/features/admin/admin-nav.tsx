import { Link, type LinkProps } from '@tanstack/react-router'
import { CalendarCheck, CalendarClock, Images, LayoutDashboard, PanelsTopLeft, PenLine, ReceiptText, Settings, Share2, UserPen, Users, type LucideIcon } from 'lucide-react'
import { ButtonLink } from '../../ui/button-link.tsx'
import styles from '../shell/side-nav.module.css'

type Place = { to: NonNullable<LinkProps['to']>; label: string; icon: LucideIcon; exact?: boolean }

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

/** The places of the admin area (spec 2, Admin routes). */
export function AdminNav({ onLeave }: { onLeave?: () => void }) {
  return (
    <nav aria-label="Admin" className={styles['nav']}>
      <Places places={places} onLeave={onLeave} />
      <ButtonLink to="/new-post" wide icon={<PenLine aria-hidden="true" />} onClick={onLeave}>
        User Dashboard
      </ButtonLink>
      <Places places={rest} onLeave={onLeave} />
    </nav>
  )
}

function Places({ places: shown, onLeave }: { places: readonly Place[]; onLeave: (() => void) | undefined }) {
  return (
    <ul className={styles['places']}>
      {shown.map(({ to, label, icon: Icon, exact = false }) => (
        <li key={label}>
          <Link to={to} className={styles['place']} activeOptions={{ exact, includeSearch: false }} onClick={onLeave}>
            <Icon aria-hidden="true" />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
