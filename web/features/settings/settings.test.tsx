import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import type { Session } from '@flashsheet/contracts/auth/schema'
import { noticeKinds, noticeMailDefaults } from '@flashsheet/contracts/notices/limits'
import { noticeMessages } from '@flashsheet/contracts/notices/messages'
import type { NoticeMails as NoticeMailChoices } from '@flashsheet/contracts/notices/schema'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { trpc } from '../../lib/trpc.ts'
import { ada, clickTwice, hitBySecondPress, noConnection, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { AccountDeletion } from './account-deletion.tsx'
import { NoticeMails } from './notice-mails.tsx'
import { SessionList } from './session-list.tsx'
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

test('after a time zone is picked, its field keeps the focus, and a second choice follows the first', async () => {
  const stored: string[] = []
  const saving = Promise.withResolvers<void>()
  await renderWithAnswers(<StudioZone />, {
    auth: {
      studioZone: () => ({ timeZone: 'America/New_York' }),
      chooseStudioZone: async ({ timeZone }) => {
        stored.push(timeZone)
        if (stored.length === 1) await saving.promise
        return { timeZone }
      },
    },
  })
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  const pick = async (city: string) => {
    await zone.fill(city)
    await page.getByRole('option', { name: new RegExp(city) }).click()
    await expect.element(page.getByRole('listbox')).not.toBeInTheDocument()
  }
  await pick('Berlin')
  await expect.element(zone).toHaveFocus()
  await pick('Oslo')
  expect(stored).toEqual(['Europe/Berlin'])
  saving.resolve()
  await vi.waitFor(() => expect(stored).toEqual(['Europe/Berlin', 'Europe/Oslo']))
  await expect.element(page.getByText(/It is .* there/)).toBeVisible()
  await expect.element(zone).toHaveValue('Europe / Oslo')
  await expect.element(zone).toHaveFocus()
})

test('a time zone is found by the former name of its city', async () => {
  await renderWithAnswers(<StudioZone />, { auth: { studioZone: () => ({ timeZone: 'America/New_York' }) } })
  await page.getByRole('combobox', { name: 'Time zone' }).fill('saigon')
  await expect.element(page.getByRole('option', { name: /Asia \/ Ho Chi Minh/ })).toBeVisible()
  expect(page.getByRole('option').elements()).toHaveLength(1)
})

// Firefox closes the list when anything else is scrolled.
test('the list of time zones opens at the chosen one by scrolling only itself', async () => {
  await renderWithAnswers(<StudioZone />, { auth: { studioZone: () => ({ timeZone: 'America/New_York' }) } })
  await page.getByRole('combobox', { name: 'Time zone' }).click()
  await expect.element(page.getByRole('option', { name: /America \/ New York/ })).toBeInViewport()
  expect(page.getByRole('listbox').element().scrollTop).toBeGreaterThan(0)
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

test('a time zone that was changed on another device is shown when the artist comes back a minute later', async () => {
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'] })
  let timeZone = 'America/New_York'
  await renderWithAnswers(<StudioZone />, { auth: { studioZone: () => ({ timeZone }) } })
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  await expect.element(zone).toHaveValue('America / New York')
  timeZone = 'America/Denver'
  vi.setSystemTime(Date.now() + 61_000)
  window.dispatchEvent(new Event('visibilitychange'))
  await expect.element(zone).toHaveValue('America / Denver')
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

test('quick changes of a choice are saved one after the other, and the last one is shown', async () => {
  let mails = Object.fromEntries(noticeKinds.map((kind) => [kind, true])) as NoticeMailChoices
  const answers: PromiseWithResolvers<void>[] = []
  await renderWithAnswers(<NoticeMails />, {
    auth: { me: () => ada },
    notices: {
      mails: () => mails,
      chooseMail: async ({ kind, mail }) => {
        const answer = Promise.withResolvers<void>()
        answers.push(answer)
        await answer.promise
        return (mails = { ...mails, [kind]: mail })
      },
    },
  })
  const failed = page.getByRole('switch', { name: 'A post failed' })
  const press = async () => await page.getByText('A post failed', { exact: true }).click()
  await expect.element(failed).toBeEnabled()
  await press()
  await expect.element(failed).not.toBeChecked()
  await press()
  await expect.element(failed).toBeChecked()
  expect(answers).toHaveLength(1)
  answers[0]?.resolve()
  await expect.poll(() => answers.length).toBe(2)
  await expect.element(failed).toBeChecked()
  answers[1]?.resolve()
  await expect.poll(() => mails.post_failed).toBe(true)
  await expect.element(failed).toBeChecked()
})

const session = (number: number, changes: Partial<Session> = {}): Session => ({
  _id: `019a0000-0000-7000-8000-00000000007${number}`,
  browser: 'Chrome',
  system: 'Linux',
  createdAt: '2039-11-01T12:00:00.000Z',
  lastSeenAt: '2039-11-01T12:00:00.000Z',
  current: false,
  ...changes,
})

test('a double click logs out one device', async () => {
  let list = [session(0, { current: true }), session(1), session(2), session(3)]
  await renderWithAnswers(<SessionList />, {
    auth: {
      sessions: () => list,
      endSession: ({ id }) => {
        list = list.filter(({ _id }) => _id !== id)
        return { message: authMessages.sessionEnded }
      },
    },
  })
  const buttons = page.getByRole('button', { name: /^Log out Chrome on Linux/ })
  await expect.poll(() => buttons.elements()).toHaveLength(3)
  expect(await hitBySecondPress(buttons)).toBeNull()
})

test('another device is logged out, and one that was logged out elsewhere leaves the list without an error', async () => {
  const gone = session(2, { browser: 'Firefox' })
  let list = [session(0, { current: true }), session(1), gone]
  const { calls } = await renderWithAnswers(<SessionList />, {
    auth: {
      sessions: () => list,
      endSession: ({ id }) => {
        list = list.filter(({ _id }) => _id !== id)
        if (id === gone._id) throw refusal(404, { message: 'Not here.', code: 'notFound' })
        return { message: authMessages.sessionEnded }
      },
    },
  })
  for (const name of [/^Log out Firefox on Linux/, /^Log out Chrome on Linux/]) {
    await page.getByRole('button', { name }).click()
    await expect.element(page.getByRole('button', { name })).not.toBeInTheDocument()
  }
  await expect.element(page.getByText(authMessages.sessionEnded)).toBeVisible()
  await expect.element(page.getByText('Not here.')).not.toBeInTheDocument()
  await expect.element(page.getByText('This one')).toBeVisible()
  expect(calls.filter(({ path }) => path === 'auth.endSession')).toHaveLength(2)
})

test('an account is deleted only with its name, and a wrong one is shown at the field', async () => {
  const { router, calls } = await renderWithAnswers(<AccountDeletion />, {
    auth: {
      me: () => ada,
      deleteAccount: ({ name }) => {
        if (name === ada.name) return { message: authMessages.deletionRequested, deletesAt: '2039-12-01T12:00:00.000Z' }
        throw refusal(400, {
          message: authMessages.nameDiffers,
          code: 'invalid',
          fields: { name: authMessages.nameDiffers },
        })
      },
    },
  })
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByText(/Clients are not told/)).toBeVisible()
  const name = dialog.getByLabelText(`To go on, type your name: ${ada.name}`)
  const confirm = dialog.getByRole('button', { name: 'Delete my account' })
  await expect.element(confirm).toBeDisabled()
  await name.fill('Ada')
  await confirm.click()
  await expect.element(dialog.getByText(authMessages.nameDiffers)).toBeVisible()
  await name.fill(ada.name)
  await clickTwice(confirm)
  await expect.poll(() => router.state.location.pathname).toBe('/leaving')
  expect(calls.filter(({ path }) => path === 'auth.deleteAccount')).toHaveLength(2)
})
