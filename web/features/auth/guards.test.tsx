import { loginMessages } from '@flashsheet/contracts/login/messages'
import type { UserInfo } from '@flashsheet/contracts/auth/schema'
import { QueryClient } from '@tanstack/react-query'
import { isRedirect } from '@tanstack/react-router'
import { afterEach, expect, test } from 'vitest'
import { rememberUser } from '../../lib/remembered-user.ts'
import { Route as appRoute } from '../../routes/_app.tsx'
import { Route as loginRoute } from '../../routes/_public/_live/login.tsx'
import { Route as registerRoute } from '../../routes/_public/_live/register.tsx'
import { Route as adminRoute } from '../../routes/admin.tsx'
import { ada, utilsWithAnswers } from '../../test-fixture.tsx'

afterEach(() => rememberUser(null))

type Guarded = typeof appRoute | typeof adminRoute | typeof loginRoute | typeof registerRoute

/** Where the guard of a route leads this user: to another screen, or undefined if the route opens. */
async function guardOf(route: Guarded, user: UserInfo | null, href: string) {
  const queryClient = new QueryClient()
  const live = { queryClient, trpc: utilsWithAnswers(queryClient, { auth: { me: () => user } }) }
  const context = { context: { live: async () => await Promise.resolve(live) }, location: { href, pathname: href } }
  try {
    await route.options.beforeLoad?.(context as never)
    return undefined
  } catch (error) {
    if (!isRedirect(error)) throw error
    const { to, search } = error.options
    return search === undefined ? { to } : { to, search }
  }
}

test('a visitor without a session is redirected to the landing page, or from the admin area to the login', async () => {
  expect(await guardOf(appRoute, null, '/new-post')).toEqual({ to: '/' })
  expect(await guardOf(adminRoute, null, '/admin/users')).toEqual({ to: '/login' })
})

test.each(['/appointments?appointment=1', '/scheduled-posts?post=1'])(
  'a visitor without a session who follows the link of a mail, %s, is redirected to the login, which returns to it',
  async (from) => {
    const search = { error: loginMessages.loginToOpen, from }
    expect(await guardOf(appRoute, null, from)).toEqual({ to: '/login', search })
  },
)

test('an unverified artist is redirected to the verification', async () => {
  const unverified = { ...ada, isEmailVerified: false }
  const verification = { to: '/verify-email', search: { email: ada.email } }
  expect(await guardOf(appRoute, unverified, '/new-post')).toEqual(verification)
  expect(await guardOf(adminRoute, unverified, '/admin')).toEqual(verification)
})

test('an account that is scheduled for deletion is redirected to its own screen from every other', async () => {
  const leaving = { ...ada, deletesAt: '2039-12-01T12:00:00.000Z' }
  expect(await guardOf(appRoute, leaving, '/new-post')).toEqual({ to: '/leaving' })
  rememberUser(leaving)
  expect(await guardOf(loginRoute, leaving, '/login')).toEqual({ to: '/leaving' })
})

test('a session that ended before a reload leads to the log-in with the reason, which returns to the screen', async () => {
  rememberUser(ada)
  for (const route of [appRoute, adminRoute])
    expect(await guardOf(route, null, '/admin/users?page=2')).toEqual({
      to: '/login',
      search: { error: loginMessages.signedOut, from: '/admin/users?page=2' },
    })
})

test('a signed-in artist who is remembered is redirected from log-in and registration', async () => {
  expect(await guardOf(appRoute, ada, '/new-post')).toBeUndefined()
  rememberUser(ada)
  expect(await guardOf(loginRoute, ada, '/login')).toEqual({ to: '/new-post' })
  expect(await guardOf(registerRoute, ada, '/register')).toEqual({ to: '/' })
  expect(await guardOf(loginRoute, null, '/login')).toBeUndefined()
})
