import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { failureOf } from '../../lib/failure.ts'
import { endSession, useSessionUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './account-menu.module.css'

/** Who is signed in, places of theirs (`children`: MenuItems), and Logout. */
export function AccountMenu({ children }: { children: ReactNode }) {
  const user = useSessionUser()
  const name = user?.name.trim() || 'User'
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const logout = trpc.auth.logout.useMutation({
    onSuccess: async () => {
      endSession(queryClient)
      await navigate({ to: '/register' })
    },
    onError: (error) => {
      const failure = failureOf(error, 'Something went wrong')
      toast.error(failure.message, failure.detail)
    },
  })
  return (
    <Menu
      label="Account"
      head={
        <>
          <p className={styles['name']}>{name}</p>
          {user && <p className={styles['email']}>{user.email}</p>}
        </>
      }
      trigger={
        <AriaButton className={styles['trigger'] ?? ''}>
          <VisuallyHidden>Account of {name}</VisuallyHidden>
          <Avatar name={name === 'User' ? '' : name} />
          <span className={styles['word']} aria-hidden="true">
            {name}
          </span>
          <ChevronDown aria-hidden="true" className={styles['arrow']} />
        </AriaButton>
      }
    >
      {children}
      <MenuLine />
      <MenuItem onAction={() => logout.mutate()} isDisabled={logout.isPending} icon={<LogOut aria-hidden="true" />}>
        Logout
      </MenuItem>
    </Menu>
  )
}
