import { Link, type LinkProps } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { ButtonLink } from '../../ui/button-link.tsx'
import styles from './side-nav-links.module.css'

/** `exact`: it is not where one is when one is at a place below it. */
export type Place = { to: NonNullable<LinkProps['to']>; label: string; icon: LucideIcon; exact?: boolean }

/** The side of a shell: its work, one button, and the rest at the foot. `onLeave` is called when one is chosen. */
export function SideNavLinks({
  label,
  work,
  button,
  rest,
  onLeave,
}: {
  label: string
  work: readonly Place[]
  button: Place
  rest: readonly Place[]
  onLeave?: (() => void) | undefined
}) {
  const ButtonIcon = button.icon
  return (
    <nav aria-label={label} className={styles['nav']}>
      <Places places={work} onLeave={onLeave} />
      <ButtonLink to={button.to} wide icon={<ButtonIcon aria-hidden="true" />} onClick={onLeave}>
        {button.label}
      </ButtonLink>
      <Places places={rest} onLeave={onLeave} />
    </nav>
  )
}

function Places({ places, onLeave }: { places: readonly Place[]; onLeave: (() => void) | undefined }) {
  return (
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
  )
}
