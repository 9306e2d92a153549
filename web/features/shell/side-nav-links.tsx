import { Link, type LinkProps } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { ButtonLink } from '../../ui/button-link.tsx'
import styles from './side-nav-links.module.css'

/** `exact`: not marked as current on the paths below `to`. */
export type NavItem = { to: NonNullable<LinkProps['to']>; label: string; icon: LucideIcon; exact?: boolean }

/** The content of a sidebar: main links, one button, and secondary links at the bottom. `onNavigate` is called when a link is pressed. */
export function SideNavLinks({
  label,
  mainLinks,
  button,
  secondaryLinks,
  onNavigate,
}: {
  label: string
  mainLinks: readonly NavItem[]
  button: NavItem
  secondaryLinks: readonly NavItem[]
  onNavigate?: () => void
}) {
  const ButtonIcon = button.icon
  return (
    <nav aria-label={label} className={styles['nav']}>
      <NavList items={mainLinks} onNavigate={onNavigate} />
      <ButtonLink to={button.to} wide icon={<ButtonIcon />} onClick={onNavigate}>
        {button.label}
      </ButtonLink>
      <NavList items={secondaryLinks} onNavigate={onNavigate} />
    </nav>
  )
}

function NavList({ items, onNavigate }: { items: readonly NavItem[]; onNavigate: (() => void) | undefined }) {
  return (
    <ul className={styles['places']}>
      {items.map(({ to, label, icon: Icon, exact = false }) => (
        <li key={label}>
          <Link
            to={to}
            className={styles['place']}
            activeOptions={{ exact, includeSearch: false }}
            onClick={onNavigate}
          >
            <Icon />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
