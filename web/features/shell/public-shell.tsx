import { Outlet, useLocation } from '@tanstack/react-router'
import { LayoutGrid, LogIn, type LucideIcon } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { useRememberedUser } from '../../lib/remembered-user.ts'
import { restoreInputAfterHydration } from '../../lib/input-before-hydration.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { classes } from '../../ui/classes.ts'
import { HeaderBar } from './header-bar.tsx'
import { PublicFooter } from './public-footer.tsx'
import styles from './public-shell.module.css'

/** Pages where nothing should lead away from the form. */
const withoutFooter = ['/login', '/register', '/forgot-password', '/reset-password', '/verify-email']

/** Pages that ask the server what there is to say: their footer begins below the window, where nothing moves it when they know. */
const asks = /^\/(?:data-deletion|subscription)\//

/** Header, page and footer of everything one may see without signing in. */
export function PublicShell({ children = <Outlet /> }: { children?: ReactNode }) {
  // By now React has taken over the whole page, fields included.
  useEffect(restoreInputAfterHydration, [])
  const pathname = useLocation({ select: (location) => location.pathname.replace(/(.)\/$/, '$1') })
  return (
    <div className={styles['shell']}>
      <HeaderBar width="page">{pathname === '/' && <LandingLinks />}</HeaderBar>
      <main id="content" tabIndex={-1} className={classes(styles['content'], asks.test(pathname) && styles['asks'])}>
        {children}
      </main>
      {!withoutFooter.includes(pathname) && <PublicFooter />}
    </div>
  )
}

/** On the landing page alone: its anchors, and the way in. */
function LandingLinks() {
  const user = useRememberedUser()
  return (
    <nav aria-label="Main" className={styles['links']}>
      <a className={styles['anchor']} href="#pricing">
        Pricing
      </a>
      <a className={styles['anchor']} href="#faqs">
        FAQs
      </a>
      {user ? (
        <ButtonLink to="/new-post" variant="ink" icon={<WideIcon of={LayoutGrid} />}>
          Dashboard
        </ButtonLink>
      ) : (
        <ButtonLink to="/login" variant="ink" icon={<WideIcon of={LogIn} />}>
          Login
        </ButtonLink>
      )}
    </nav>
  )
}

/** Shown where there is room for it. */
function WideIcon({ of: Icon }: { of: LucideIcon }) {
  return (
    <span className={styles['icon']}>
      <Icon aria-hidden="true" />
    </span>
  )
}
