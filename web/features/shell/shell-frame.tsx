import { useLocation, useMatches } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { useState, type ComponentType, type ReactNode } from 'react'
import { useHasBeenTrue, usePreload } from '../../ui/lazy-component.tsx'
import { classes } from '../../ui/classes.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import text from '../../ui/text.module.css'
import styles from './app-shell.module.css'
import { HeaderBar } from './header-bar.tsx'
import type { NavDrawerProps } from './nav-drawer.tsx'
import { TitleInHeader } from '../parts/page-title.tsx'
import { lazyOverlay } from '../parts/chunk-load-failed.tsx'

type ShellFrameProps = {
  children: ReactNode
  /** The links of the sidebar and the drawer; calls `onNavigate` when one is pressed. */
  nav: ComponentType<{ onNavigate?: () => void }>
  /** The account menu, at the end of the header. */
  account: ReactNode
  /** Beside the title, such as "Admin". */
  badge?: ReactNode
  /** Removes the maximum page width, for tables. */
  wide?: boolean
}

const NavDrawer = lazyOverlay<NavDrawerProps>(async () => (await import('./lazy-parts.ts')).NavDrawer)
const preloaded = [NavDrawer]

/** The layout of the artist's and the admin area: header with the route's title, sidebar, content. Below 768 px the sidebar is a drawer. */
export function ShellFrame({ children, nav: Nav, account, badge, wide = false }: ShellFrameProps) {
  const title = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.title !== undefined)?.staticData.title,
  })
  const pathname = useLocation({ select: (location) => location.pathname })
  // The path on which the drawer was opened: navigating to another one closes it.
  const [drawerPath, setDrawerPath] = useState<string | null>(null)
  const wasOpened = useHasBeenTrue(drawerPath !== null)
  usePreload(preloaded)
  return (
    <div className={classes(styles['shell'], wide && styles['wide'])}>
      <HeaderBar
        width="wide"
        isMarkOnly
        before={
          <span className={styles['toggle']}>
            <IconButton
              label="Menu"
              onPress={() => {
                NavDrawer.preload()
                setDrawerPath(pathname)
              }}
            >
              <MenuIcon />
            </IconButton>
          </span>
        }
      >
        <div className={styles['titles']}>
          {badge && <span className={styles['badge']}>{badge}</span>}
          <h1 className={classes(text['one-line'], styles['title'])}>{title}</h1>
        </div>
        <div className={styles['user']}>{account}</div>
      </HeaderBar>
      <aside className={styles['sidebar']}>
        <Nav />
      </aside>
      {wasOpened && <NavDrawer open={drawerPath === pathname} onClose={() => setDrawerPath(null)} nav={Nav} />}
      <main id="content" tabIndex={-1} className={styles['content']}>
        <div className={styles['page']}>
          <TitleInHeader value>{children}</TitleInHeader>
        </div>
      </main>
    </div>
  )
}
