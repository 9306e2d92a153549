import { platformNames, platforms, type Platform } from '@flashsheet/contracts/networks'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { noConnection, renderWithAnswers, type Answers } from '../../test-fixture.tsx'
import { HandleText } from './page-handle.tsx'
import { SocialAccountsScreen } from './social-accounts-screen.tsx'

const offered = platforms.map((platform) => ({ _id: platform, platform }))
const connected = (platform: Platform, at: number): SocialAccount => ({
  _id: `019a0000-0000-7000-8000-00000000000${at}`,
  platform,
  providerName: `Studio ${at}`,
  providerUserId: String(at),
  health: 'ok',
  reconnectBy: null,
  pages: [],
})

const opened = async (accounts: readonly SocialAccount[], social: Answers['social'] = {}) =>
  await renderWithAnswers(<SocialAccountsScreen connected={undefined} error={undefined} wayBack={null} />, {
    social: { platforms: () => offered, accounts: () => [...accounts], ...social },
    posts: { endangered: () => [] },
  })

const wanted: Record<Platform, string[]> = {
  facebook: ['A Business Page', 'Admin access to the Page', 'Access to its Business Manager'],
  instagram: [
    'A professional account (Business or Creator)',
    'After converting to a professional account, wait 24 hours',
  ],
  tiktok: ['A Business or Creator account', 'Logged into the right account'],
  youtube: ['A Google account with a linked channel'],
  linkedin: ['A Business account', 'Admin access to the page', 'Access to its Business Manager'],
}

test('with none connected every network is offered, and names what it wants; Cancel changes nothing and gives the focus back', async () => {
  const { calls } = await opened([])
  await expect.element(page.getByRole('heading', { name: 'Connected Accounts (0/5)' })).toBeVisible()
  await expect.element(page.getByText(socialMessages.noneConnected)).toBeVisible()
  const buttons = page.getByRole('button', { name: /^Connect / })
  expect(buttons.elements().map((button) => button.textContent)).toEqual(
    platforms.map((platform) => `Connect ${platformNames[platform]}`),
  )
  for (const platform of platforms) {
    const name = `Connect ${platformNames[platform]}`
    const button = page.getByRole('button', { name })
    await button.click()
    const dialog = page.getByRole('dialog', { name })
    await expect.element(dialog.getByRole('heading', { name: 'Requirements' })).toBeVisible()
    const listed = dialog.getByRole('listitem').elements()
    expect(listed.map((item) => item.textContent)).toEqual(wanted[platform])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(button).toHaveFocus()
  }
  expect(
    calls.filter(({ path }) => !['social.platforms', 'social.accounts', 'posts.endangered'].includes(path)),
  ).toEqual([])
})

test('with five connected only those can be connected again', async () => {
  await opened(
    (['facebook', 'facebook', 'instagram', 'instagram', 'tiktok'] as const).map((platform, at) =>
      connected(platform, at),
    ),
  )
  await expect.element(page.getByRole('heading', { name: 'Connected Accounts (5/5)' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'YouTube: 5/5 places taken' })).toBeDisabled()
  await expect.element(page.getByRole('button', { name: 'LinkedIn: 5/5 places taken' })).toBeDisabled()
  await expect.element(page.getByRole('button', { name: 'Reconnect TikTok', exact: true })).toBeEnabled()
})

test('when the list cannot be loaded it says so, and shows it after another try', async () => {
  let isDown = true
  const accounts = () => {
    if (isDown) throw noConnection()
    return []
  }
  await opened([], { accounts })
  await expect.element(page.getByText(socialMessages.loadFailed)).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('heading', { name: 'Connected Accounts (0/5)' })).toBeVisible()
  await expect.element(page.getByText(socialMessages.loadFailed)).not.toBeInTheDocument()
})

test("a page's address on a narrow phone breaks behind a slash, not within a word", async () => {
  await page.viewport(320, 844)
  const { container } = await render(
    <p style={{ overflowWrap: 'anywhere', width: '11rem' }}>
      <HandleText handle="linkedin.com/company/tidewater-flash" />
    </p>,
  )
  const words = [...(container.querySelector('p')?.childNodes ?? [])].filter((node) => node instanceof Text)
  const linesOf = (node: Node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return range.getClientRects().length
  }
  expect(words.map((node) => [node.data, linesOf(node)])).toEqual([
    ['linkedin.com/', 1],
    ['company/', 1],
    ['tidewater-flash', 1],
  ])
})
