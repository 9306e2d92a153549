import { Outlet, useLocation } from '@tanstack/react-router'
import { LayoutGrid, LogIn, type LucideIcon } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { useRememberedUser } from '../../lib/remembered-user.ts'
import { restoreInputAfterHydration } from '../../lib/input-before-hydration.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { classes } from '../../ui/classes.ts'
import { HeaderBar } from './header-bar.tsx'
import { PublicFooter } from './public-footer.tsx'
import text from '../../ui/text.module.css'
import styles from './public-shell.module.css'

/** Forms that should have no links leading away from them. */
const withoutFooter = ['/login', '/register', '/forgot-password', '/reset-password', '/verify-email']

/** Pages that load their content. Their footer starts below the fold, so that no layout shift is visible. */
const loadsContent = /^\/(?:data-deletion|subscription)\//

export function PublicShell({ children = <Outlet /> }: { children?: ReactNode }) {
  // Effects run when the whole page, including its fields, is hydrated.
  useEffect(restoreInputAfterHydration, [])
  const pathname = useLocation({ select: (location) => location.pathname.replace(/(.)\/$/, '$1') })
  return (
    <div className={styles['shell']}>
      <HeaderBar width="page">{pathname === '/' && <LandingLinks />}</HeaderBar>
      <main
        id="content"
        tabIndex={-1}
        className={classes(styles['content'], loadsContent.test(pathname) && styles['full-height'])}
      >
        {children}
      </main>
      {!withoutFooter.includes(pathname) && <PublicFooter />}
    </div>
  )
}

function LandingLinks() {
  const user = useRememberedUser()
  return (
    <nav aria-label="Main" className={styles['links']}>
      <a className={classes(text['quiet-link'], styles['anchor'])} href="#pricing">
        Pricing
      </a>
      <a className={classes(text['quiet-link'], styles['anchor'])} href="#faqs">
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

function WideIcon({ of: Icon }: { of: LucideIcon }) {
  return (
    <span className={styles['icon']}>
      <Icon />
    </span>
  )
}
