import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, LogOut, Star, UserPen } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import { failureOf } from '../../lib/failure.ts'
import { endSession, useSessionUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './user-menu.module.css'

/** Who is signed in, and what they can do about it (spec 2, User shell). */
export function UserMenu() {
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
      <MenuItem href="/profile" icon={<UserPen aria-hidden="true" />}>
        Edit Profile
      </MenuItem>
      <MenuItem href="/subscription" icon={<Star aria-hidden="true" />}>
        Subscribe Now
      </MenuItem>
      <MenuLine />
      <MenuItem onAction={() => logout.mutate()} isDisabled={logout.isPending} icon={<LogOut aria-hidden="true" />}>
        Logout
      </MenuItem>
    </Menu>
  )
}
