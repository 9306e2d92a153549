import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePreload } from '../../ui/lazy-component.tsx'
import { NoticesBell } from '../notices/notices-bell.tsx'
import type { NoticesPanelProps } from '../notices/notices-panel.tsx'
import { lazyOverlay } from '../parts/chunk-load-failed.tsx'
import { ShellFrame } from './shell-frame.tsx'
import { SideNav } from './side-nav.tsx'
import { UserMenu } from './user-menu.tsx'

const NoticesPanel = lazyOverlay<NoticesPanelProps>(async () => (await import('./lazy-parts.ts')).NoticesPanel)
const preloaded = [NoticesPanel]

export function AppShell({ children = <Outlet /> }: { children?: ReactNode }) {
  usePreload(preloaded)
  return (
    <ShellFrame
      nav={SideNav}
      account={
        <>
          <NoticesBell panel={NoticesPanel} />
          <UserMenu />
        </>
      }
    >
      {children}
    </ShellFrame>
  )
}
