import { Link, type LinkProps } from '@tanstack/react-router'
import { LayoutDashboard, PenLine, ReceiptText, Users, type LucideIcon } from 'lucide-react'
import { ButtonLink } from '../../ui/button-link.tsx'
import styles from '../shell/side-nav.module.css'

type Place = { to: NonNullable<LinkProps['to']>; label: string; icon: LucideIcon; exact?: boolean }

const places: Place[] = [
  { to: '/admin', label: 'Dashboard', icon: LayoutDashboard, exact: true },
  { to: '/admin/users', label: 'Artists', icon: Users },
  { to: '/admin/subscriptions', label: 'Recent Orders', icon: ReceiptText },
]

/** The places of the admin area (spec 2, Admin routes). */
export function AdminNav({ onLeave }: { onLeave?: () => void }) {
  return (
    <nav aria-label="Admin" className={styles['nav']}>
      <ul className={styles['places']}>
        {places.map(({ to, label, icon: Icon, exact = false }) => (
          <li key={label}>
            <Link to={to} className={styles['place']} activeOptions={{ exact, includeSearch: false }} onClick={onLeave}>
              <Icon aria-hidden="true" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <ButtonLink to="/new-post" wide icon={<PenLine aria-hidden="true" />} onClick={onLeave}>
        User Dashboard
      </ButtonLink>
    </nav>
  )
}
