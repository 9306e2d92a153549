import { Link, type LinkProps } from '@tanstack/react-router'
import { CalendarCheck, CalendarClock, CircleQuestionMark, Images, PanelsTopLeft, PenLine, Settings, Share2, Star, type LucideIcon } from 'lucide-react'
import { ButtonLink } from '../../ui/button-link.tsx'
import styles from './side-nav.module.css'

type Place = { to: NonNullable<LinkProps['to']>; label: string; icon: LucideIcon }

const work: Place[] = [
  { to: '/new-post', label: 'New Post', icon: PenLine },
  { to: '/scheduled-posts', label: 'Scheduled Posts', icon: CalendarClock },
  { to: '/appointments', label: 'Appointments', icon: CalendarCheck },
  { to: '/media', label: 'Media', icon: Images },
  { to: '/website-builder', label: 'Website Builder', icon: PanelsTopLeft },
  { to: '/social-accounts', label: 'Social Accounts', icon: Share2 },
]
const rest: Place[] = [
  { to: '/help', label: 'Help', icon: CircleQuestionMark },
  { to: '/settings', label: 'Settings', icon: Settings },
]

/** The places of the signed-in app, in the spec's order. `onLeave` is called when one is chosen. */
export function SideNav({ onLeave }: { onLeave?: () => void }) {
  return (
    <nav aria-label="App" className={styles['nav']}>
      <Places places={work} onLeave={onLeave} />
      <ButtonLink to="/subscription" wide icon={<Star aria-hidden="true" />} onClick={onLeave}>
        Subscribe Now
      </ButtonLink>
      <Places places={rest} onLeave={onLeave} />
    </nav>
  )
}

function Places({ places, onLeave }: { places: Place[]; onLeave: (() => void) | undefined }) {
  return (
    <ul className={styles['places']}>
      {places.map(({ to, label, icon: Icon }) => (
        <li key={label}>
          <Link to={to} className={styles['place']} onClick={onLeave}>
            <Icon aria-hidden="true" />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
