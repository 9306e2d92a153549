import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lazyComponent, usePreload } from '../../ui/lazy-component.tsx'
import { NoticesBell } from '../notices/notices-bell.tsx'
import type { NoticesPanelProps } from '../notices/notices-panel.tsx'
import { ChunkLoadFailed } from '../parts/chunk-load-failed.tsx'
import { ShellFrame } from './shell-frame.tsx'
import { SideNav } from './side-nav.tsx'
import { UserMenu } from './user-menu.tsx'

const NoticesPanel = lazyComponent<NoticesPanelProps>(
  async () => (await import('./lazy-parts.ts')).NoticesPanel,
  ({ open, onClose }, retry) => open && retry && <ChunkLoadFailed onClose={onClose} />,
)
const parts = [NoticesPanel]

export function AppShell({ children = <Outlet /> }: { children?: ReactNode }) {
  usePreload(parts)
  return (
    <ShellFrame
      nav={(onNavigate) => <SideNav {...(onNavigate ? { onNavigate } : {})} />}
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
