import type { Draft as StoredDraft } from '@flashsheet/contracts/drafts/schema'
import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { newUuid } from '../../../lib/uuid.ts'
import { ada, hitBySecondPress, koi, noConnection, refusal, renderWithAnswers } from '../../../test-fixture.tsx'
import { uploads } from '../../media/uploads.ts'
import { connectedAccount } from '../../social/account-fixture.ts'
import { wizardDraft } from '../draft/draft-uploads.ts'
import { newDraft } from '../draft/draft.ts'
import { DraftsScreen } from './drafts-screen.tsx'

const dagger: StoredDraft = {
  _id: '019a0000-0000-7000-8000-000000000040',
  version: 1,
  title: 'Dagger',
  mediaIds: [],
  variants: [],
  scheduledAt: null,
  createdAt: '2039-11-01T12:00:00.000Z',
  updatedAt: '2039-11-01T12:00:00.000Z',
}

test('a draft that could not be deleted is shown again, even without a connection', async () => {
  let isDown = false
  const withConnection = <T,>(value: T): T => {
    if (isDown) throw noConnection()
    return value
  }
  await renderWithAnswers(<DraftsScreen />, {
    auth: { me: () => ada },
    drafts: {
      list: () => withConnection([dagger]),
      remove: () => withConnection({ deleted: true } as const),
    },
    media: { list: () => [] },
    social: { accounts: () => [] },
  })
  const row = page.getByRole('button', { name: 'Open the draft Dagger' })
  await expect.element(row).toBeVisible()
  isDown = true
  await page.getByRole('button', { name: 'Delete the draft Dagger' }).click()
  await expect.element(page.getByText(draftMessages.deleteFailed)).toBeVisible()
  await expect.element(row).toBeVisible()
})

test('a long first line is cut between two characters', async () => {
  const caption = `${'a'.repeat(89)}🐟 koi`
  const variant = { platform: 'facebook', socialAccountId: '', pageId: '', title: '', message: caption } as const
  await renderWithAnswers(<DraftsScreen />, {
    auth: { me: () => ada },
    drafts: { list: () => [{ ...dagger, title: '', variants: [{ ...variant, options: {} }] }] },
    media: { list: () => [] },
    social: { accounts: () => [] },
  })
  await expect.element(page.getByRole('button', { name: `Open the draft ${'a'.repeat(89)}…` })).toBeVisible()
})

test('two drafts that could not be deleted are both shown again', async () => {
  const answers = [Promise.withResolvers<never>(), Promise.withResolvers<never>()]
  const anchor = { ...dagger, _id: '019a0000-0000-7000-8000-000000000042', title: 'Anchor' }
  let isDown = false
  await renderWithAnswers(<DraftsScreen />, {
    auth: { me: () => ada },
    drafts: {
      list: () => {
        if (isDown) throw noConnection()
        return [dagger, anchor]
      },
      remove: async ({ draftId }) => await (draftId === dagger._id ? answers[0] : answers[1])!.promise,
    },
    media: { list: () => [] },
    social: { accounts: () => [] },
  })
  const rows = page.getByRole('button', { name: /^Open the draft/ })
  await page.getByRole('button', { name: 'Delete the draft Dagger' }).click()
  await page.getByRole('button', { name: 'Delete the draft Anchor' }).click()
  await expect.element(rows).not.toBeInTheDocument()
  isDown = true
  for (const answer of answers) answer.reject(noConnection())
  await expect.poll(() => page.getByText(draftMessages.deleteFailed).elements()).toHaveLength(2)
  await expect.poll(() => rows.elements()).toHaveLength(2)
})

test('a double click on Delete deletes one draft', async () => {
  await renderWithAnswers(<DraftsScreen />, {
    auth: { me: () => ada },
    drafts: {
      list: () => [1, 2, 3].map((number) => ({ ...dagger, _id: `019a0000-0000-7000-8000-00000000005${number}` })),
      remove: async () => await new Promise(() => {}),
    },
    media: { list: () => [] },
    social: { accounts: () => [] },
  })
  const buttons = page.getByRole('button', { name: 'Delete the draft Dagger' })
  await expect.poll(() => buttons.elements()).toHaveLength(3)
  expect(await hitBySecondPress(buttons)).toBeNull()
  // Afterwards the next one can be deleted.
  await buttons.first().click()
  await expect.poll(() => buttons.elements()).toHaveLength(1)
})

const facebook = connectedAccount(1, 'facebook', ['Black Quill'])
/** A draft of a program, with a picture and a caption for a page. */
const moths: StoredDraft = {
  ...dagger,
  title: '',
  mediaIds: [koi._id],
  variants: [
    {
      platform: 'facebook',
      socialAccountId: facebook._id,
      pageId: 'Black Quill',
      title: '',
      message: 'Moths',
      options: {},
    },
  ],
}
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('another post in the composer is replaced only after a confirmation', async () => {
  const composer = wizardDraft(ada._id, uploads)
  composer.update(() => ({ ...newDraft(newUuid()), global: { title: '', caption: 'My own words' } }))
  const { router } = await renderWithAnswers(<DraftsScreen />, {
    auth: { me: () => ada },
    drafts: { list: () => [moths], get: () => moths },
    media: { list: () => [koi] },
    social: { accounts: () => [facebook] },
  })
  const path = () => router.state.location.pathname
  const captions = () => {
    const { global, individual } = composer.get()
    return [global.caption, ...Object.values(individual).map(({ caption }) => caption)]
  }
  await button('Open the draft Moths').click()
  await button('Keep the current post').click()
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
  expect([path(), captions()]).toEqual(['/', ['My own words']])
  await button('Open the draft Moths').click()
  await button('Open the draft').click()
  await expect.poll(path).toBe('/new-post')
  expect(captions()).toContain('Moths')
  expect(captions()).not.toContain('My own words')
  expect([composer.get().step, composer.get().stored?.id]).toEqual([3, moths._id])
  composer.update(() => newDraft(newUuid()))
})

test('a draft that is loaded after its screen was left does not replace what was written meanwhile', async () => {
  const composer = wizardDraft(ada._id, uploads)
  const answer = Promise.withResolvers<StoredDraft>()
  const { calls, unmount } = await renderWithAnswers(<DraftsScreen />, {
    auth: { me: () => ada },
    drafts: { list: () => [moths], get: async () => await answer.promise },
    media: { list: () => [koi] },
    social: { accounts: () => [facebook] },
  })
  await button('Open the draft Moths').click()
  await expect.poll(() => calls.map(({ path }) => path)).toContain('drafts.get')
  await unmount()
  composer.update((draft) => ({ ...draft, global: { title: '', caption: 'Written meanwhile' } }))
  answer.resolve(moths)
  // What follows the answer runs before the next task.
  await new Promise((done) => setTimeout(done))
  expect(composer.get().global.caption).toBe('Written meanwhile')
  composer.update(() => newDraft(newUuid()))
})

test.each([
  { place: 'here', isGone: false },
  { place: 'on another device', isGone: true },
])('a draft is deleted at once and can be restored, also if it was deleted $place', async ({ isGone }) => {
  const server = { drafts: [moths] }
  const { calls } = await renderWithAnswers(<DraftsScreen />, {
    auth: { me: () => ada },
    drafts: {
      list: () => server.drafts,
      remove: () => {
        server.drafts = []
        if (isGone) throw refusal(404, { message: draftMessages.gone, code: 'notFound' })
        return { deleted: true }
      },
      create: () => {
        server.drafts = [moths]
        return moths
      },
    },
    media: { list: () => [koi] },
    social: { accounts: () => [facebook] },
  })
  await button('Delete the draft Moths').click()
  await expect.element(page.getByText(draftMessages.deleted)).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'No drafts' })).toBeVisible()
  await button('Undo').click()
  await expect.element(page.getByRole('heading', { name: 'Moths' })).toBeVisible()
  const { title, mediaIds, variants } = moths
  expect(calls.filter(({ path }) => path === 'drafts.create').map(({ input }) => input)).toMatchObject([
    { title, mediaIds, variants },
  ])
})
