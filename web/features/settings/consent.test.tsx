import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, clickTwice, noConnection, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { ConsentScreen } from './consent-screen.tsx'

test('a request that could not be read is read again; one that was refused is final', async () => {
  let error = noConnection()
  await renderWithAnswers(<ConsentScreen request="client_id=1" />, {
    auth: { me: () => ada },
    assistants: {
      consentRequest: () => {
        throw error
      },
    },
  })
  const again = page.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  await expect.element(page.getByText('This assistant cannot be connected')).not.toBeInTheDocument()
  error = refusal(503, { message: 'We cannot be reached for a moment.', code: 'unavailable' })
  await again.click()
  await expect.element(page.getByText('We cannot be reached for a moment.')).toBeVisible()
  await expect.element(again).toBeVisible()
  error = refusal(400, { message: 'The assistant is unknown.', code: 'invalid' })
  await again.click()
  await expect.element(page.getByText('The assistant is unknown.')).toBeVisible()
  await expect.element(again).not.toBeInTheDocument()
})

test('after Back from the assistant its request can be answered again', async () => {
  const stay = (event: NavigateEvent) => event.preventDefault()
  navigation.addEventListener('navigate', stay)
  await renderWithAnswers(<ConsentScreen request="client_id=1" />, {
    auth: { me: () => ada },
    assistants: {
      consentRequest: () => ({ name: 'Quill', host: 'quill.example', scopes: ['media:read'], backTo: '/assistant' }),
      giveConsent: () => ({ backTo: '/assistant' }),
    },
  })
  const cancel = page.getByRole('button', { name: 'Cancel' })
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect.element(cancel).toBeDisabled()
  // The back/forward cache restores the page as it was left.
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await expect.element(cancel).toBeEnabled()
  navigation.removeEventListener('navigate', stay)
})

test('a double click gives one consent', async () => {
  const { calls } = await renderWithAnswers(<ConsentScreen request="client_id=1" />, {
    auth: { me: () => ada },
    assistants: {
      consentRequest: () => ({ name: 'Quill', host: 'quill.example', scopes: ['media:read'], backTo: '/' }),
      giveConsent: async () => await new Promise(() => {}),
    },
  })
  const connect = page.getByRole('button', { name: 'Connect', exact: true })
  const element = await clickTwice(connect)
  await expect.poll(() => element.dataset['pending']).toBe('true')
  expect(calls.filter(({ path }) => path === 'assistants.giveConsent')).toHaveLength(1)
})
