import { useLocation, useMatches } from '@tanstack/react-router'
import { Menu as MenuIcon, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { classes } from '../../ui/classes.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './app-shell.module.css'
import { HeaderBar } from './header-bar.tsx'
import { Logo } from './logo.tsx'
import { TitleInHeader } from './page-title.tsx'

type ShellFrameProps = {
  children: ReactNode
  /** The places to go; `onLeave` is called when one is chosen. */
  nav: (onLeave?: () => void) => ReactNode
  /** At the header's end: who is signed in, and what they can do about it. */
  account: ReactNode
  /** At the title: whose area this is. */
  badge?: ReactNode
  /** For tables: the page is as wide as the window lets it. */
  wide?: boolean
}

/** What both signed-in shells are made of: header with the title of the route, sidebar, content. Below 768 px the sidebar is a drawer. */
export function ShellFrame({ children, nav, account, badge, wide = false }: ShellFrameProps) {
  const title = useMatches({ select: (matches) => matches.findLast((match) => match.staticData.title !== undefined)?.staticData.title })
  const pathname = useLocation({ select: (location) => location.pathname })
  // The drawer belongs to the page it was opened on: going anywhere closes it.
  const [drawerOn, setDrawerOn] = useState<string | null>(null)
  return (
    <div className={styles['shell']}>
      <HeaderBar
        width="wide"
        markOnly
        before={
          <span className={styles['toggle']}>
            <IconButton label="Menu" onPress={() => setDrawerOn(pathname)}>
              <MenuIcon aria-hidden="true" />
            </IconButton>
          </span>
        }
      >
        <div className={styles['titles']}>
          {badge && <span className={styles['badge']}>{badge}</span>}
          <h1 className={styles['title']}>{title}</h1>
        </div>
        <div className={styles['user']}>{account}</div>
      </HeaderBar>
      <aside className={styles['sidebar']}>
        {nav()}
      </aside>
      <ModalOverlay className={styles['scrim'] ?? ''} isOpen={drawerOn === pathname} onOpenChange={(open) => setDrawerOn(open ? pathname : null)} isDismissable>
        <Modal className={styles['drawer'] ?? ''}>
          <Dialog aria-label="Menu" className={styles['drawer-body'] ?? ''}>
            <div className={styles['drawer-head']}>
              <Logo />
              <IconButton label="Close" onPress={() => setDrawerOn(null)}>
                <X aria-hidden="true" />
              </IconButton>
            </div>
            {nav(() => setDrawerOn(null))}
          </Dialog>
        </Modal>
      </ModalOverlay>
      <main id="content" tabIndex={-1} className={styles['content']}>
        <div className={classes(styles['page'], wide && styles['wide'])}>
          <TitleInHeader value>{children}</TitleInHeader>
        </div>
      </main>
    </div>
  )
}
