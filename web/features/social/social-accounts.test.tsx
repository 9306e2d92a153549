import { platformNames, platforms, type Platform } from '@flashsheet/contracts/networks'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { koi, noConnection, refusal, renderWithAnswers, type Answers } from '../../test-fixture.tsx'
import { connectedAccount } from './account-fixture.ts'
import { HandleText } from './page-handle.tsx'
import { SocialAccountsScreen } from './social-accounts-screen.tsx'

const offered = platforms.map((platform) => ({ _id: platform, platform }))

const opened = async (accounts: readonly SocialAccount[], social: Answers['social'] = {}) =>
  await renderWithAnswers(<SocialAccountsScreen connected={undefined} error={undefined} returnLink={null} />, {
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

test('offers every network with its requirements if none is connected; Cancel changes nothing and restores the focus', async () => {
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

const fiveAccounts = (['facebook', 'facebook', 'instagram', 'instagram', 'tiktok'] as const).map((platform, at) =>
  connectedAccount(at, platform),
)

test('offers only the connected networks once five accounts are connected', async () => {
  await opened(fiveAccounts)
  await expect.element(page.getByRole('heading', { name: 'Connected Accounts (5/5)' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'YouTube: 5/5 places taken' })).toBeDisabled()
  await expect.element(page.getByRole('button', { name: 'LinkedIn: 5/5 places taken' })).toBeDisabled()
  await expect.element(page.getByRole('button', { name: 'Reconnect TikTok', exact: true })).toBeEnabled()
})

test('five accounts are shown above the networks, and stay there when one is disconnected', async () => {
  let accounts = [connectedAccount(5, 'facebook', ['Tidewater Ink']), ...fiveAccounts.slice(1)]
  await opened([], {
    accounts: () => accounts,
    removePage: () => {
      accounts = fiveAccounts.slice(1)
      return { message: socialMessages.disconnected }
    },
  })
  const titles = () =>
    page
      .getByRole('heading', { level: 2 })
      .elements()
      .map(({ textContent }) => textContent)
  await expect.poll(titles).toEqual(['Connected Accounts (5/5)', 'Connect an account'])
  await page.getByRole('button', { name: 'Disconnect Tidewater Ink, Facebook' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect.poll(titles).toEqual(['Connected Accounts (4/5)', 'Connect an account'])
})

test('shows an error if the accounts cannot be loaded, and the accounts after a retry', async () => {
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

test('appears by itself once the server is available again', async () => {
  let isDown = true
  const accounts = () => {
    if (isDown) throw refusal(503, { message: 'Away for a moment.', code: 'unavailable' })
    return []
  }
  await opened([], { accounts })
  await expect.element(page.getByText('Away for a moment.')).toBeVisible()
  isDown = false
  await expect
    .element(page.getByRole('heading', { name: 'Connected Accounts (0/5)' }), { timeout: 10_000 })
    .toBeVisible()
})

test("breaks a page's address after a slash on a narrow phone, not within a word", async () => {
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

test('the message of a network is shown once, and removed from the URL', async () => {
  const { router } = await renderWithAnswers(
    <SocialAccountsScreen connected={undefined} error="Something went astray" returnLink={null} />,
    { social: { platforms: () => offered, accounts: () => [] }, posts: { endangered: () => [] } },
    '/social-accounts?error=Something+went+astray',
  )
  await expect.element(page.getByText('Something went astray')).toBeVisible()
  await expect.poll(() => router.history.location.href).toBe('/social-accounts')
  expect(page.getByText('Something went astray').elements()).toHaveLength(1)
})

describe('disconnecting', () => {
  const pageOf = (name: string): SocialAccount['pages'][number] => ({
    pageId: name,
    name,
    username: null,
    picture: koi.thumbnailUrl,
    connectedAt: '2039-11-01T12:00:00.000Z',
  })
  const facebook = {
    ...connectedAccount(1, 'facebook'),
    pages: [pageOf('Black Quill Tattoo'), pageOf('Tidewater Ink')],
  }
  const disconnect = (name: string) => page.getByRole('button', { name: `Disconnect ${name}, Facebook` })
  const dialog = page.getByRole('alertdialog', { name: 'Disconnect this Facebook Page?' })

  test('asks for confirmation by name and states the consequences; the last page removes the account', async () => {
    let pages = facebook.pages
    const { calls } = await opened([], {
      accounts: () => (pages.length === 0 ? [] : [{ ...facebook, pages }]),
      removePage: ({ pageId }) => {
        pages = pages.filter((one) => one.pageId !== pageId)
        return { message: socialMessages.disconnected }
      },
    })
    await disconnect('Black Quill Tattoo').click()
    await expect.element(dialog).toBeVisible()
    expect(dialog.element().textContent).toMatch(
      /Black Quill Tattoo.*Scheduled posts from that Page will be deleted\..*Information from former posts is removed\..*This action cannot be undone\./s,
    )
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(calls.some(({ path }) => path === 'social.removePage')).toBe(false)
    for (const { name } of facebook.pages) {
      await disconnect(name).click()
      await dialog.getByRole('button', { name: 'Disconnect' }).click()
      await expect.element(disconnect(name)).not.toBeInTheDocument()
    }
    await expect.element(page.getByText(socialMessages.disconnected).first()).toBeVisible()
    await expect.element(page.getByText(socialMessages.noneConnected)).toBeVisible()
  })

  test('a page that is gone when it is disconnected counts as disconnected, and leaves the list', async () => {
    let accounts = [facebook, connectedAccount(2, 'tiktok')]
    await opened([], {
      accounts: () => accounts,
      removePage: () => {
        accounts = accounts.slice(1)
        throw refusal(404, { message: socialMessages.unknownAccount, code: 'notFound' })
      },
    })
    await disconnect('Tidewater Ink').click()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await expect.element(page.getByText(socialMessages.disconnected)).toBeVisible()
    await expect.element(disconnect('Tidewater Ink')).not.toBeInTheDocument()
    await expect.element(page.getByRole('heading', { name: 'Connected Accounts (1/5)' })).toBeVisible()
    await expect.element(dialog).not.toBeInTheDocument()
  })
})
