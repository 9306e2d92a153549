import { noticeMessages } from '@flashsheet/contracts/notices/messages'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { clickTwice, noConnection, renderWithAnswers } from '../../test-fixture.tsx'
import { answers } from './answers.ts'
import { ContactForm } from './contact-form.tsx'
import { HelpAnswers } from './help-answers.tsx'

const search = page.getByRole('searchbox', { name: 'Search the answers' })
const shown = () => document.querySelectorAll('details').length

test('an answer opens by the fragment of the URL, and by a press on its question', async () => {
  await renderWithAnswers(<HelpAnswers />, {}, '/help#double-booking')
  await expect.element(page.getByText(/^No\. The database itself refuses/)).toBeVisible()
  await expect.element(page.getByText(/with two presses/)).not.toBeVisible()
  await page.getByText('How do I cancel?').click()
  await expect.element(page.getByText(/with two presses/)).toBeVisible()
})

test('a search filters the answers and reports when none matches, and clearing it shows all again', async () => {
  await renderWithAnswers(<HelpAnswers />, {})
  await expect.poll(shown).toBe(answers.length)
  await search.fill('hacked')
  await expect.element(page.getByText('Somebody else may be using my account.')).toBeVisible()
  await expect.poll(shown).toBe(1)
  await expect.element(page.getByText('1 answer', { exact: true })).toBeInTheDocument()
  await search.fill('xyzzy')
  await expect.element(page.getByText('No answer to that')).toBeVisible()
  await expect.poll(shown).toBe(0)
  await search.fill('')
  await expect.poll(shown).toBe(answers.length)
})

test('a message is required, stays in the form when sending fails, and is sent once on a double click', async () => {
  let isDown = true
  const { calls } = await renderWithAnswers(<ContactForm from={{ name: 'Ida Blom', email: 'ida@studio.example' }} />, {
    notices: {
      contact: () => {
        if (isDown) throw noConnection()
        return { message: noticeMessages.contactSent }
      },
    },
  })
  const send = page.getByRole('button', { name: 'Send message' })
  const message = page.getByRole('textbox', { name: 'Message' })
  await send.click()
  await expect.element(page.getByText(noticeMessages.messageRequired)).toBeVisible()
  expect(calls).toEqual([])
  await message.fill('Where is my horseshoe?')
  await send.click()
  await expect.element(page.getByText(noticeMessages.contactFailed)).toBeVisible()
  await expect.element(message).toHaveValue('Where is my horseshoe?')
  isDown = false
  await clickTwice(send)
  await expect.element(page.getByText(noticeMessages.contactSent)).toBeVisible()
  expect(calls).toHaveLength(2)
})
