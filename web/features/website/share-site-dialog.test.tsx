import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ShareSiteDialog } from './share-site-dialog.tsx'

const address = 'https://flashsheet.example/s/ada-ink'
const opened = async () =>
  await render(<ShareSiteDialog open isNew address={address} name="Ada Inkwell" onClose={() => {}} />)
const copy = page.getByRole('button', { name: 'Copy address' })
const dialog = page.getByRole('dialog', { name: 'You are live' })

afterEach(() => {
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'share')
})

test('a site that is live has its address to open, to copy and as a QR code; a copy that is denied says so', async () => {
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce()
  written.mockRejectedValueOnce(new DOMException('Denied', 'NotAllowedError'))
  await opened()
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

test('is handed to the device to share; a share sheet that is closed is no fault', async () => {
  const shared: unknown[] = []
  // Chromium has no share sheet on every system: this one is closed the first time.
  Object.defineProperty(navigator, 'share', {
    configurable: true,
    value: async (data: unknown) => {
      shared.push(data)
      if (shared.length === 1) throw new DOMException('Share canceled', 'AbortError')
      await Promise.resolve()
    },
  })
  await opened()
  const share = dialog.getByRole('button', { name: 'Share', exact: true })
  await share.click()
  await share.click()
  expect(shared).toEqual([
    { title: 'Ada Inkwell', url: address },
    { title: 'Ada Inkwell', url: address },
  ])
  await expect.element(dialog).toBeVisible()
})
