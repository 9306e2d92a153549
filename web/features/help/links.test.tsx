import { noticeKinds } from '@flashsheet/contracts/notices/limits'
import type { NoticeMails } from '@flashsheet/contracts/notices/schema'
import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, lineWork, renderWithAnswers } from '../../test-fixture.tsx'
import { SettingsScreen } from '../settings/settings-screen.tsx'
import { PublicShell } from '../shell/public-shell.tsx'
import { SideNav } from '../shell/side-nav.tsx'
import { HelpScreen } from './help-screen.tsx'
import { ContactScreen, SupportScreen } from './support-screen.tsx'

/** The paths of all screens without parameters, by their route files. */
const paths = Object.keys(import.meta.glob('../../routes/**/*.tsx')).map(
  (file) =>
    file
      .replace('../../routes', '')
      .replace(/\.tsx$/, '')
      .replaceAll(/\/_(app|public|subscriber)(?=\/|$)/g, '')
      .replaceAll('_.', '.')
      .replaceAll('.', '/')
      .replace(/\/index$/, '') || '/',
)
const mails = Object.fromEntries(noticeKinds.map((kind) => [kind, true])) as NoticeMails

test.each<[string, ReactElement, number]>([
  ['/help', <HelpScreen key="help" />, 2],
  ['/settings', <SettingsScreen key="settings" />, 2],
  ['/support', <SupportScreen key="support" />, 2],
  ['/contact', <ContactScreen key="contact" />, 0],
])('every link of %s leads to a screen', async (path, screen, fewest) => {
  const isPublic = path === '/support' || path === '/contact'
  await renderWithAnswers(
    isPublic ? (
      <PublicShell>{screen}</PublicShell>
    ) : (
      <>
        <SideNav />
        <main>{screen}</main>
      </>
    ),
    {
      auth: {
        me: () => ada,
        studioZone: () => ({ timeZone: 'America/New_York' }),
        ownSignInMethods: () => ({ hasPassword: true, google: [] }),
        sessions: () => [],
      },
      subscription: { mine: () => lineWork },
      notices: { mails: () => mails },
    },
    path,
  )
  await expect.element(page.getByRole('link').first()).toBeVisible()
  if (path === '/settings') await expect.element(page.getByRole('link', { name: 'Change' })).toBeVisible()
  const linksIn = (selector: string) =>
    [...document.querySelectorAll(`${selector} a[href^="/"]`)].map(
      (link) => link.getAttribute('href')?.split(/[#?]/)[0] ?? '',
    )
  expect(linksIn('main').length).toBeGreaterThanOrEqual(fewest)
  expect(linksIn('body').length).toBeGreaterThan(4)
  expect(linksIn('body').filter((link) => !paths.includes(link))).toEqual([])
})
