import { authMessages } from '@flashsheet/contracts/auth/messages'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ada, noConnection, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { VerifyEmailScreen } from './verify-email-screen.tsx'

const token = 'a'.repeat(43)
const again = page.getByRole('button', { name: 'Try Again' })

test('a link that was opened without a connection is read when it is tried again', async () => {
  let isDown = true
  const { router } = await renderWithAnswers(<VerifyEmailScreen token={token} email="ada@studio.example" />, {
    auth: {
      readLink: () => {
        if (isDown) throw noConnection()
        return {
          kind: 'registration',
          email: 'ada@studio.example',
          name: 'Ada Inkwell',
          isAsker: true,
          registered: null,
        }
      },
      me: () => null,
    },
  })
  await expect.element(page.getByText(/could not reach the server/)).toBeVisible()
  isDown = false
  await again.click()
  await expect.element(page.getByRole('button', { name: 'Confirm ada@studio.example for Ada Inkwell' })).toBeVisible()
  expect(router.state.location.pathname).toBe('/')
})

test('after a link that is invalid, the code or another link is asked for', async () => {
  const { router } = await renderWithAnswers(<VerifyEmailScreen token={token} email="ada@studio.example" />, {
    auth: {
      readLink: () => {
        throw refusal(400, { message: authMessages.verifyLinkInvalid, code: 'invalid' })
      },
      me: () => null,
    },
  })
  await again.click()
  await expect.poll(() => router.state.location.href).toBe('/verify-email?email=ada%40studio.example')
})

test('after a link that was used while its answer was lost, the log-in is offered', async () => {
  let isUsed = false
  const { router } = await renderWithAnswers(<VerifyEmailScreen token={token} email="ada@studio.example" />, {
    auth: {
      readLink: () => ({ ...elsewhere, isAsker: true }),
      confirmLink: () => {
        if (isUsed) throw refusal(400, linkUsed)
        isUsed = true
        throw noConnection()
      },
      me: () => null,
    },
  })
  await press('Confirm ada@studio.example for Ada Inkwell')
  await expect.element(page.getByText(/could not reach the server/)).toBeVisible()
  await press('Confirm ada@studio.example for Ada Inkwell')
  await expect.element(page.getByText(/If you have used this one, log in/)).toBeVisible()
  await page.getByRole('link', { name: 'Log in' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/login')
})

const linkUsed = {
  message: authMessages.verifyLinkInvalid,
  code: 'invalid',
  fields: { token: authMessages.verifyLinkInvalid },
}
const elsewhere = {
  kind: 'registration',
  email: 'ada@studio.example',
  name: 'Ada Inkwell',
  isAsker: false,
  registered: null,
} as const
const field = (label: string) => page.getByLabelText(label, { exact: true })
const press = async (name: string) => await page.getByRole('button', { name, exact: true }).click()

test('in another browser the link asks for the password, and shows a wrong one at its field', async () => {
  const { calls } = await renderWithAnswers(<VerifyEmailScreen token={token} email="ada@studio.example" />, {
    auth: {
      readLink: () => elsewhere,
      confirmLink: () => {
        const message = authMessages.registeredPasswordWrong
        throw refusal(400, { message, code: 'invalid', fields: { password: message } })
      },
      me: () => null,
    },
  })
  await field('Password').fill('something else')
  await press('Confirm ada@studio.example for Ada Inkwell')
  await expect.element(page.getByText(authMessages.registeredPasswordWrong)).toBeVisible()
  expect(calls).toContainEqual({ path: 'auth.confirmLink', input: { token, password: 'something else' } })
  await expect.element(page.getByRole('button', { name: 'This wasn’t me' })).toBeVisible()
})

test('the owner of the mailbox takes over the account that somebody else registered, with a name and password', async () => {
  const { calls } = await renderWithAnswers(<VerifyEmailScreen token={token} email="ada@studio.example" />, {
    auth: { readLink: () => elsewhere, confirmLink: () => ada, me: () => null },
  })
  await press('This wasn’t me')
  await press('Confirm ada@studio.example')
  await expect.element(page.getByText(authMessages.nameRequired)).toBeVisible()
  await field('Your name').fill('Mara Quill')
  await field('New password').fill('of the mailbox')
  await field('Confirm password').fill('of the mailboy')
  await press('Confirm ada@studio.example')
  await expect.element(page.getByText(authMessages.passwordsDiffer)).toBeVisible()
  expect(calls.some(({ path }) => path === 'auth.confirmLink')).toBe(false)
  await field('Confirm password').fill('of the mailbox')
  await press('Confirm ada@studio.example')
  await expect.element(page.getByRole('heading', { name: authMessages.verified })).toBeVisible()
  expect(calls).toContainEqual({
    path: 'auth.confirmLink',
    input: { token, name: 'Mara Quill', newPassword: 'of the mailbox' },
  })
})

test('a link that is confirmed cannot be pressed again while its session is read', async () => {
  let isConfirmed = false
  await renderWithAnswers(<VerifyEmailScreen token={token} email="ada@studio.example" />, {
    auth: {
      readLink: () => ({ ...elsewhere, isAsker: true }),
      confirmLink: () => {
        isConfirmed = true
        return ada
      },
      me: async () => (isConfirmed ? await new Promise(() => {}) : null),
    },
  })
  const name = 'Confirm ada@studio.example for Ada Inkwell'
  const button = page.getByRole('button', { name })
  await expect.element(button).toBeVisible()
  const { dataset } = button.element() as HTMLElement
  await press(name)
  await expect.element(page.getByText(authMessages.verified)).toBeVisible()
  expect(dataset['pending']).toBe('true')
})

test('the second press of a double click that registers mails no second link', async () => {
  const resend = page.getByRole('button', { name: 'Resend verification email' })
  const hit = Promise.withResolvers<Element | null>()
  const observer = new MutationObserver(() => {
    const button = resend.query()
    if (!button) return
    observer.disconnect()
    button.scrollIntoView({ block: 'center' })
    const { x, y, width, height } = button.getBoundingClientRect()
    hit.resolve(document.elementFromPoint(x + width / 2, y + height / 2)?.closest('button') ?? null)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  await renderWithAnswers(<VerifyEmailScreen token="" email="ada@studio.example" />, { auth: { me: () => null } })
  expect(await hit.promise).toBeNull()
  await resend.click({ trial: true })
})
