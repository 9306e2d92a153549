import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ShareSiteDialog } from './share-site-dialog.tsx'

const address = 'https://flashsheet.example/s/ada-ink'
const renderDialog = async () =>
  await render(<ShareSiteDialog open isNew address={address} name="Ada Inkwell" onClose={() => {}} />)
const copy = page.getByRole('button', { name: 'Copy address' })
const dialog = page.getByRole('dialog', { name: 'You are live' })

afterEach(() => {
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'share')
})

test('shows the address as a link, to copy and as a QR code, and reports a copy that the browser denies', async () => {
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce()
  written.mockRejectedValueOnce(new DOMException('Denied', 'NotAllowedError'))
  await renderDialog()
  await expect.element(dialog.getByRole('img', { name: `QR code of ${address}` })).toBeVisible()
  await expect
    .element(dialog.getByRole('link', { name: 'flashsheet.example/s/ada-ink' }))
    .toHaveAttribute('href', address)
  await copy.click()
  await expect.element(page.getByText('Address copied.')).toBeVisible()
  expect(written.mock.calls).toEqual([[address]])
  await copy.click()
  await expect.element(page.getByText('It could not be copied. Please select the address and copy it.')).toBeVisible()
  await expect.element(dialog).toBeVisible()
})

test("opens the device's share sheet, and reports no error when it is closed", async () => {
  const shared: unknown[] = []
  // Chromium has no share sheet on some systems. This one is closed the first time.
  Object.defineProperty(navigator, 'share', {
    configurable: true,
    value: async (data: unknown) => {
      shared.push(data)
      if (shared.length === 1) throw new DOMException('Share canceled', 'AbortError')
      await Promise.resolve()
    },
  })
  await renderDialog()
  const share = dialog.getByRole('button', { name: 'Share', exact: true })
  await share.click()
  await share.click()
  expect(shared).toEqual([
    { title: 'Ada Inkwell', url: address },
    { title: 'Ada Inkwell', url: address },
  ])
  await expect.element(dialog).toBeVisible()
})
