import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import { noticeKinds, noticeMailDefaults } from '@flashsheet/contracts/notices/limits'
import { noticeMessages } from '@flashsheet/contracts/notices/messages'
import type { NoticeMails as NoticeMailChoices } from '@flashsheet/contracts/notices/schema'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { trpc } from '../../lib/trpc.ts'
import { ada, noConnection, renderWithAnswers } from '../../test-fixture.tsx'
import { NoticeMails } from './notice-mails.tsx'
import { StudioZone } from './studio-zone.tsx'

test('a time zone is found by its city and saved', async () => {
  let timeZone = 'America/New_York'
  await renderWithAnswers(<StudioZone />, {
    auth: {
      studioZone: () => ({ timeZone }),
      chooseStudioZone: (chosen) => ({ timeZone: (timeZone = chosen.timeZone) }),
    },
  })
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Berlin')
  await page.getByRole('option', { name: /Europe \/ Berlin/ }).click()
  await expect.element(page.getByText(authMessages.timeZoneSaved)).toBeVisible()
  await expect.element(page.getByText(/It is .* there, GMT\+/)).toBeVisible()
  expect(timeZone).toBe('Europe/Berlin')
})

test('a calendar that was loaded before the zone is changed gets the new one', async () => {
  let timeZone = 'America/New_York'
  function Calendar() {
    const { data } = trpc.appointments.availability.useQuery(undefined, { staleTime: 60_000 })
    return <p>Times in {data?.timeZone}</p>
  }
  await renderWithAnswers(
    <>
      <StudioZone />
      <Calendar />
    </>,
    {
      auth: {
        studioZone: () => ({ timeZone }),
        chooseStudioZone: (chosen) => ({ timeZone: (timeZone = chosen.timeZone) }),
      },
      appointments: { availability: () => ({ ...defaultAvailability, timeZone, isSet: true }) },
    },
  )
  await expect.element(page.getByText('Times in America/New_York')).toBeVisible()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Berlin')
  await page.getByRole('option', { name: /Europe \/ Berlin/ }).click()
  await expect.element(page.getByText('Times in Europe/Berlin')).toBeVisible()
})

test('a mail is switched off, a change that fails is reverted, and mails about payments cannot be switched off', async () => {
  let isDown = false
  let mails = Object.fromEntries(
    noticeKinds.map((kind) => [kind, noticeMailDefaults[kind] !== 'off']),
  ) as NoticeMailChoices
  await renderWithAnswers(<NoticeMails />, {
    auth: { me: () => ada },
    notices: {
      mails: () => {
        if (isDown) throw noConnection()
        return mails
      },
      chooseMail: ({ kind, mail }) => {
        if (isDown) throw noConnection()
        return (mails = { ...mails, [kind]: mail })
      },
    },
  })
  const failed = page.getByRole('switch', { name: 'A post failed' })
  const press = async () => await page.getByText('A post failed', { exact: true }).click()
  await expect.element(failed).toBeEnabled()
  await expect.element(failed).toBeChecked()
  await press()
  await expect.element(failed).not.toBeChecked()
  await expect.poll(() => mails.post_failed).toBe(false)
  isDown = true
  await press()
  await expect.element(page.getByText(noticeMessages.saveFailed)).toBeVisible()
  await expect.element(failed).not.toBeChecked()
  await expect.element(page.getByRole('switch', { name: 'Payments' })).toBeDisabled()
})
