import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { Menu as MenuIcon, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { IconButton } from '../../ui/icon-button.tsx'
import { NoticesBell } from '../notices/notices-bell.tsx'
import styles from './app-shell.module.css'
import { HeaderBar } from './header-bar.tsx'
import { Logo } from './logo.tsx'
import { TitleInHeader } from './page-title.tsx'
import { SideNav } from './side-nav.tsx'
import { UserMenu } from './user-menu.tsx'

/** The signed-in shell: header with the title of the route, sidebar, content. Below 768 px the sidebar is a drawer. */
export function AppShell({ children = <Outlet /> }: { children?: ReactNode }) {
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
        <h1 className={styles['title']}>{title}</h1>
        <div className={styles['user']}>
          <NoticesBell />
          <UserMenu />
        </div>
      </HeaderBar>
      <aside className={styles['sidebar']}>
        <SideNav />
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
            <SideNav onLeave={() => setDrawerOn(null)} />
          </Dialog>
        </Modal>
      </ModalOverlay>
      <main id="content" tabIndex={-1} className={styles['content']}>
        <div className={styles['page']}>
          <TitleInHeader value>{children}</TitleInHeader>
        </div>
      </main>
    </div>
  )
}
