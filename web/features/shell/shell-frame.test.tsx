import { createFileRoute, type AnyRoute } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderRoute } from '../../test-fixture.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ShellFrame } from './shell-frame.tsx'

const account = (
  <>
    <IconButton label="Notices">!</IconButton>
    <IconButton label="Account">A</IconButton>
  </>
)
const titled = (title: string): AnyRoute =>
  createFileRoute('/_app/connect-assistant')({
    staticData: { title },
    component: () => (
      <ShellFrame nav={() => null} account={account}>
        <p>Content</p>
      </ShellFrame>
    ),
  })

test('a title that is longer than the header of a narrow phone has room for wraps, and is not cut off', async () => {
  await page.viewport(360, 740)
  await renderRoute(titled('Connect an assistant'), '/connect-assistant', {})
  const title = page.getByRole('heading', { name: 'Connect an assistant' })
  await expect.element(title).toBeVisible()
  const { scrollWidth, clientWidth } = title.element()
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
})

test('on a phone in landscape the header and the sidebar scroll with the page; on a tablet they stay', async () => {
  await page.viewport(844, 390)
  await renderRoute(titled('Queue'), '/connect-assistant', {})
  await expect.element(page.getByRole('heading', { name: 'Queue' })).toBeVisible()
  const positions = () =>
    ['header', '[class*=sidebar]'].map(
      (part) => getComputedStyle(document.querySelector(part) ?? expect.fail(`there is no ${part}`)).position,
    )
  expect(positions()).toEqual(['absolute', 'absolute'])
  await page.viewport(1024, 768)
  expect(positions()).toEqual(['fixed', 'fixed'])
})
