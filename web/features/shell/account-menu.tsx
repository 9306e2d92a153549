import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { toastFailure } from '../../lib/toast-failure.ts'
import { useHasBeenTrue, usePreload } from '../../ui/lazy-component.tsx'
import { endSession, useSessionUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { classes } from '../../ui/classes.ts'
import text from '../../ui/text.module.css'
import styles from './account-menu.module.css'
import type { AccountMenuListProps } from './account-menu-list.tsx'
import { lazyOverlay } from '../parts/chunk-load-failed.tsx'

const AccountMenuList = lazyOverlay<AccountMenuListProps>(async () => (await import('./lazy-parts.ts')).AccountMenuList)
const preloaded = [AccountMenuList]

/** The account button in the header, with a menu of the user's own screens and Logout. */
export function AccountMenu({ links }: Pick<AccountMenuListProps, 'links'>) {
  usePreload(preloaded)
  const trigger = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const wasOpened = useHasBeenTrue(open)
  const user = useSessionUser()
  const name = user?.name.trim() || 'User'
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const logout = trpc.auth.logout.useMutation({
    onSuccess: async () => {
      endSession(queryClient)
      await navigate({ to: '/register' })
    },
    onError: (error) => toastFailure(error, 'Something went wrong'),
  })
  const logOut = useSingleFlight(logout.mutateAsync)
  const show = () => {
    AccountMenuList.preload()
    setOpen(true)
  }
  return (
    <>
      <AriaButton
        ref={trigger}
        className={styles['trigger'] ?? ''}
        aria-haspopup="menu"
        aria-expanded={open}
        onHoverStart={AccountMenuList.preload}
        onPress={show}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') show()
          else event.continuePropagation()
        }}
      >
        <VisuallyHidden>Account of {name}</VisuallyHidden>
        <Avatar name={name === 'User' ? '' : name} />
        <span className={classes(text['one-line'], styles['word'])} aria-hidden="true">
          {name}
        </span>
        <ChevronDown className={styles['arrow']} />
      </AriaButton>
      {wasOpened && (
        <AccountMenuList
          trigger={trigger}
          open={open}
          onClose={() => setOpen(false)}
          name={name}
          email={user?.email}
          links={links}
          onLogout={() => logOut()}
          isLoggingOut={logout.isPending}
        />
      )}
    </>
  )
}
