import { afterAll, beforeAll, expect, test } from 'vitest'
import { assistantMessages } from '../packages/contracts/assistants/messages.ts'
import { loginMessages } from '../packages/contracts/login/messages.ts'
import { scopeLabels } from '../packages/contracts/keys/messages.ts'
import { createArtist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { callback, listTools, registerProgram } from '../api/testing/oauth-assistant.ts'
import { accessibilityFaults } from './accessibility.ts'
import { openWindow, phone, setSession } from './browser.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => await app?.stop())

/** A window in which the assistant's redirect address answers. `back` waits for the redirect and returns its parameters. */
async function openAssistantWindow() {
  const window = await openWindow({ reuse: true, baseUrl: app.url, size: phone })
  await window.page.route(`${callback}**`, async (route) => await route.fulfill({ body: 'You can close this window.' }))
  const untilRedirected = async () => {
    await window.page.waitForURL(`${callback}**`)
    return new URL(window.page.url()).searchParams
  }
  return { ...window, untilRedirected }
}

test('an artist logs in, gives consent, and can revoke it in Settings', async () => {
  const artist = await createArtist(app)
  const program = await registerProgram(app.visitor())
  const { page, untilRedirected, close, pageErrors } = await openAssistantWindow()
  try {
    const query = new URLSearchParams({ ...program.params, state: '0012e5' }).toString()
    await page.goto(`/oauth/authorize?${query}`)
    await page.getByText(loginMessages.loginToConnect).waitFor()
    await page.getByLabel('Email').fill(artist.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(artist.password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('heading', { name: 'Connect “Quill”?' }).waitFor()
    await page.getByText(scopeLabels['posts:read']).waitFor()
    await page.getByText(artist.email).waitFor()
    expect(await accessibilityFaults(page, 'main')).toEqual([])
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const callbackParams = await untilRedirected()
    expect([callbackParams.get('state'), callbackParams.get('iss')]).toEqual(['0012e5', app.url])
    const { body } = await program.exchange(callbackParams.get('code') ?? '')
    const token = body['access_token'] ?? ''
    expect((await listTools(app, token)).status).toBe(200)

    await page.goto('/settings/developers')
    await page.getByText('At localhost:33418').waitFor()
    expect(await accessibilityFaults(page, 'main')).toEqual([])
    await page.getByRole('button', { name: 'Disconnect Quill' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
    await page.getByText('No assistants yet').waitFor()
    expect((await listTools(app, token)).status).toBe(401)
    expect(pageErrors).toEqual([])
  } finally {
    await close()
  }
})

test('“Cancel” redirects without a code; an unknown redirect address is refused, and an invalid request reports its error', async () => {
  const artist = await createArtist(app)
  const program = await registerProgram(app.visitor())
  const window = await openAssistantWindow()
  const { page, untilRedirected, close } = window
  await setSession(window, app.url, artist.cookies)
  const ask = async (changes: Record<string, string>) =>
    await page.goto(`/oauth/authorize?${new URLSearchParams({ ...program.params, ...changes }).toString()}`)
  try {
    await ask({ redirect_uri: 'https://elsewhere.example/cb' })
    await page.getByText(assistantMessages.unknownRedirect).waitFor()
    await ask({ code_challenge_method: 'plain' })
    await page.getByText(assistantMessages.challengeRequired).waitFor()
    await page.getByRole('button', { name: 'Back to localhost:33418' }).click()
    expect((await untilRedirected()).get('error')).toBe('invalid_request')
    await ask({})
    await page.getByRole('button', { name: 'Cancel' }).click()
    const callbackParams = await untilRedirected()
    expect([callbackParams.get('error'), callbackParams.get('code'), callbackParams.get('state')]).toEqual([
      'access_denied',
      null,
      'x',
    ])
    expect(await artist.trpc.assistants.list.query()).toEqual([])
  } finally {
    await close()
  }
})
