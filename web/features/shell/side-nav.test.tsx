import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderWithAnswers } from '../../test-fixture.tsx'
import { SideNav } from './side-nav.tsx'

const nav = page.getByRole('navigation', { name: 'App' })
const links = () =>
  nav
    .getByRole('link')
    .elements()
    .map((link) => [link.textContent, link.getAttribute('href')])

type ScreenRoute = {
  options: { staticData?: { title?: string }; head?: () => { meta: { title?: string }[] } }
}
/** The routes of the screens behind the login, by their files. */
const routes = import.meta.glob<ScreenRoute>('../../routes/_app/**/*.tsx', { eager: true, import: 'Route' })
const routeOf = (path: string) =>
  routes[`../../routes/_app${path}.tsx`] ?? routes[`../../routes/_app/_subscriber${path}.tsx`]

test('has its links in order, each to a screen with its title in the header and in the tab', async () => {
  await renderWithAnswers(<SideNav />, { subscription: { mine: () => null } })
  await expect.element(nav.getByRole('link', { name: 'Subscribe Now' })).toBeVisible()
  const titles: [label: string, path: string, title?: string][] = [
    ['New Post', '/new-post', 'New Posts'],
    ['Drafts', '/drafts'],
    ['Scheduled Posts', '/scheduled-posts'],
    ['Queue', '/queue'],
    ['Appointments', '/appointments'],
    ['Media', '/media'],
    ['Website Builder', '/website-builder'],
    ['Social Accounts', '/social-accounts'],
    ['Subscribe Now', '/subscription', 'Subscription'],
    ['Help', '/help'],
    ['Settings', '/settings'],
  ]
  expect(links()).toEqual(titles.map(([label, path]) => [label, path]))
  for (const [label, path, title = label] of titles) {
    const { staticData, head } = routeOf(path)?.options ?? {}
    expect([path, staticData?.title, head?.().meta]).toEqual([path, title, [{ title: `${title} · Flashsheet` }]])
  }
})

test('a subscriber is not offered a plan while the subscription is loading', async () => {
  const loading = Promise.withResolvers<null>()
  await renderWithAnswers(<SideNav />, { subscription: { mine: () => loading.promise } })
  await expect.element(nav.getByRole('link', { name: 'Subscription' })).toBeVisible()
  await expect.element(nav.getByRole('link', { name: 'Subscribe Now' })).not.toBeInTheDocument()
  loading.resolve(null)
  await expect.element(nav.getByRole('link', { name: 'Subscribe Now' })).toBeVisible()
})
