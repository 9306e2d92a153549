import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NoticesBell } from '../notices/notices-bell.tsx'
import { ShellFrame } from './shell-frame.tsx'
import { SideNav } from './side-nav.tsx'
import { UserMenu } from './user-menu.tsx'

export function AppShell({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <ShellFrame
      nav={(onLeave) => <SideNav {...(onLeave ? { onLeave } : {})} />}
      account={
        <>
          <NoticesBell />
          <UserMenu />
        </>
      }
    >
      {children}
    </ShellFrame>
  )
}
