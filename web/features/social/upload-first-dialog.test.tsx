import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { renderWithAnswers } from '../../test-fixture.tsx'
import { uploads } from '../media/uploads.ts'
import { ConnectAfterUpload } from './connect-after-upload.tsx'
import { goToNetwork } from './go-to-network.ts'

test('a network is connected at once during an upload if the artist chooses so', async () => {
  // The upload stays at its beginning, as on a very slow connection.
  vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(() => {})
  const opened: string[] = []
  const stay = (event: NavigateEvent) => {
    opened.push(new URL(event.destination.url).pathname)
    event.preventDefault()
  }
  navigation.addEventListener('navigate', stay)
  const started = await uploads.add([new File(['koi'], 'koi.jpg', { type: 'image/jpeg' })])
  try {
    await expect.poll(() => uploads.running()).toHaveLength(1)
    await renderWithAnswers(<ConnectAfterUpload />, {})
    goToNetwork('facebook')
    const dialog = page.getByRole('dialog', { name: 'Your upload is still running' })
    await expect.element(dialog).toBeVisible()
    expect(opened).toEqual([])
    await dialog.getByRole('button', { name: 'Connect now' }).click()
    await expect.poll(() => opened).toEqual(['/api/social-connect/facebook'])
    await expect.element(dialog).not.toBeInTheDocument()
    expect(uploads.running()).toHaveLength(1)
  } finally {
    for (const { id } of started.uploads) uploads.remove(id)
    navigation.removeEventListener('navigate', stay)
    vi.restoreAllMocks()
  }
})
