import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post } from '@flashsheet/contracts/posts/schema'
import { queueMessages } from '@flashsheet/contracts/queue/messages'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { rememberUser } from '../../../lib/remembered-user.ts'
import { saveUnsentText } from '../../../lib/session-end.ts'
import { trpc } from '../../../lib/trpc.ts'
import { accessibilityFaults } from '../../../test-accessibility.ts'
import { ada, clickTwice, koi, noConnection, refusal, renderWithAnswers } from '../../../test-fixture.tsx'
import { changedElsewhereTexts } from '../../parts/changed-elsewhere-texts.ts'
import { uploads } from '../../media/uploads.ts'
import { wizardDraft } from '../draft/draft-uploads.ts'
import { newDraft } from '../draft/draft.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { connectedAccount } from '../../social/account-fixture.ts'
import { scheduledPost, scheduledVariant } from '../parts/post-fixture.ts'
import { ScheduledPostDialog } from './scheduled-post-dialog.tsx'

const ids = { post: '019a0000-0000-7000-8000-000000000030', variant: '019a0000-0000-7000-8000-000000000031' }
const planned = scheduledPost({
  _id: ids.post,
  scheduledAt: '2039-11-21T18:00:00.000Z',
  variants: [scheduledVariant({ _id: ids.variant, postId: ids.post, message: 'Old words' })],
})
const moved: Post = { ...planned, scheduledAt: '2039-11-25T18:00:00.000Z' }

/** The dialog with a server that has this post; `changeElsewhere` is like a change in another window. */
async function opened(post = planned, delay = Promise.resolve(), library = Promise.resolve([koi])) {
  let stored: Post | undefined = post
  const gone = refusal(404, { message: postMessages.gone, code: 'notFound' })
  const current = () => {
    if (!stored) throw gone
    return stored
  }
  /** Why the server refuses a change. */
  let updateFailure: Error | undefined
  let accounts: SocialAccount[] = []
  let refetch = async () => {}
  const onClose = vi.fn<() => void>()
  function Live() {
    const utils = trpc.useUtils()
    refetch = async () => await utils.posts.get.invalidate()
    const [open, setOpen] = useState(true)
    onClose.mockImplementation(() => setOpen(false))
    return <ScheduledPostDialog entry={{ id: ids.post, status: post.status }} open={open} onClose={onClose} />
  }
  const { calls, router, unmount } = await renderWithAnswers(<Live />, {
    posts: {
      get: current,
      update: async () => {
        await delay
        if (updateFailure) throw updateFailure
        return current()
      },
      publishNow: current,
      postAgain: current,
      candidates: () => ({ candidates: [], canList: true, hasMore: false }),
      markPosted: () => {
        throw refusal(409, { message: postMessages.nothingFailed, code: 'conflict' })
      },
      remove: () => {
        throw gone
      },
      endangered: () => [],
    },
    auth: { me: () => ada, studioZone: () => ({ timeZone: 'America/New_York' }) },
    social: { accounts: () => accounts },
    media: { list: async () => await library },
  })
  const changeElsewhere = async (post: Post, hasHint = true) => {
    stored = post
    if (hasHint) await refetch()
  }
  const deleteElsewhere = () => (stored = undefined)
  const haveAccounts = (...some: SocialAccount[]) => (accounts = some)
  const refuseUpdates = (error: Error) => (updateFailure = error)
  const sent = () =>
    calls.filter(({ path }) => ['posts.update', 'posts.publishNow'].includes(path)).map(({ input }) => input)
  const postedAgain = () => calls.filter(({ path }) => path === 'posts.postAgain').map(({ input }) => input)
  return {
    calls,
    sent,
    postedAgain,
    changeElsewhere,
    deleteElsewhere,
    haveAccounts,
    refuseUpdates,
    onClose,
    router,
    unmount,
  }
}

const caption = page.getByRole('textbox', { name: 'Caption' })
const update = { postId: ids.post, variants: [{ _id: ids.variant, message: 'New words' }] }

test('a new caption does not undo a move in another window', async () => {
  const { sent, changeElsewhere } = await opened()
  await caption.fill('New words')
  await changeElsewhere(moved)
  await expect.element(page.getByRole('spinbutton', { name: /^day/ })).toHaveTextContent('25')
  await expect.element(caption).toHaveValue('New words')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(sent).toEqual([update])
})

test('a new caption does not undo that of another page, which another device has saved and the form has not read', async () => {
  const other = scheduledVariant({ _id: newUuid(), postId: ids.post, pageId: 'other', message: 'Other words' })
  const { sent } = await opened({ ...planned, variants: [...planned.variants, other] })
  await caption.first().fill('New words')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(sent).toEqual([update])
})

test.each(['Cancel', changedElsewhereTexts.show])('an edit that was given up by “%s” is not stored', async (button) => {
  rememberUser(ada)
  sessionStorage.clear()
  const { changeElsewhere } = await opened()
  await caption.fill('New words')
  await changeElsewhere({ ...planned, variants: planned.variants.map((one) => ({ ...one, message: 'Other words' })) })
  await page.getByRole('button', { name: button }).click()
  await expect.element(page.getByText(changedElsewhereTexts.notice)).not.toBeInTheDocument()
  saveUnsentText()
  expect(sessionStorage).toHaveLength(0)
  rememberUser(null)
})

test.each(['a live hint arrives', 'a save reads it'])(
  'an edited caption does not replace one from another device without a warning: when %s',
  async (when) => {
    const { sent, changeElsewhere } = await opened()
    const notice = page.getByRole('alert').getByText(changedElsewhereTexts.notice)
    const save = page.getByRole('button', { name: 'Save changes' })
    await caption.fill('New words')
    const hasHint = when === 'a live hint arrives'
    const [variant] = planned.variants
    if (!variant) expect.fail('the post has no page')
    await changeElsewhere({ ...planned, variants: [{ ...variant, message: 'Words from the phone' }] }, hasHint)
    if (!hasHint) await save.click()
    await expect.element(notice).toBeVisible()
    await expect.element(caption).toHaveValue('New words')
    expect(sent()).toEqual([])
    await save.click()
    await expect.poll(sent).toEqual([update])
  },
)

test('the caption of another device replaces the edited one on request, and others stay edited', async () => {
  const other = scheduledVariant({ _id: newUuid(), postId: ids.post, pageId: 'other', message: 'Other words' })
  const { sent, changeElsewhere } = await opened({ ...planned, variants: [...planned.variants, other] })
  await caption.first().fill('New words')
  await caption.last().fill('New other words')
  await changeElsewhere({ ...planned, variants: [...planned.variants, { ...other, message: 'From the phone' }] })
  await page.getByRole('button', { name: changedElsewhereTexts.show }).click()
  await expect.element(caption.last()).toHaveValue('From the phone')
  await expect.element(page.getByText(changedElsewhereTexts.notice)).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(sent).toEqual([update])
})

test.each(['Save changes', 'Publish now'])(
  '%s of a post that another device has deleted says so, and leaves what was written to a duplicate',
  async (button) => {
    const { router, deleteElsewhere, onClose } = await opened()
    await caption.fill('New words')
    deleteElsewhere()
    await page.getByRole('button', { name: button }).click()
    await expect.element(page.getByText(postMessages.gone)).toBeVisible()
    await expect.element(caption).toHaveValue('New words')
    expect(onClose).not.toHaveBeenCalled()
    await expect.element(page.getByRole('button', { name: button })).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await expect.poll(() => router.state.location.pathname).toBe('/new-post')
    expect(wizardDraft(ada._id, uploads).get().global.caption).toBe('New words')
    wizardDraft(ada._id, uploads).update(() => newDraft(newUuid()))
  },
)

test('Publish now of an unedited post that another device has deleted says so', async () => {
  const { deleteElsewhere, onClose } = await opened()
  await expect.element(caption).toBeVisible()
  deleteElsewhere()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await expect.element(page.getByText(postMessages.gone)).toBeVisible()
  expect(onClose).not.toHaveBeenCalled()
})

test('Publish now publishes the caption as edited', async () => {
  const { sent } = await opened()
  await caption.fill('New words')
  await clickTwice(page.getByRole('button', { name: 'Publish now' }))
  await expect.element(page.getByText(postMessages.publishingNow)).toBeVisible()
  expect(sent()).toEqual([update, { postId: ids.post }])
})

test('a post that is gone when it is deleted counts as deleted, since the browser may send the request twice', async () => {
  const { onClose } = await opened()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.element(page.getByText(postMessages.deleted)).toBeVisible()
  expect(onClose).toHaveBeenCalled()
})

test('a double click on a post opens its dialog, and does not publish it', async () => {
  await page.viewport(1440, 900)
  function Calendar() {
    const [isOpen, setIsOpen] = useState(false)
    return (
      <>
        <button style={{ position: 'fixed', inset: 0 }} onClick={() => setIsOpen(true)}>
          Entry
        </button>
        <ScheduledPostDialog
          entry={{ id: ids.post, status: 'scheduled' }}
          open={isOpen}
          onClose={() => setIsOpen(false)}
        />
      </>
    )
  }
  const { calls } = await renderWithAnswers(<Calendar />, {
    posts: { get: () => planned, publishNow: () => planned, endangered: () => [] },
    auth: { me: () => ada, studioZone: () => ({ timeZone: 'America/New_York' }) },
    social: { accounts: () => [] },
    media: { list: () => [koi] },
  })
  const entry = page.getByRole('button', { name: 'Entry' })
  const publishNow = page.getByRole('button', { name: 'Publish now' })
  const published = () => calls.filter(({ path }) => path === 'posts.publishNow').length
  await entry.click()
  await expect.element(publishNow).toBeVisible()
  const { x, y, width, height } = publishNow.element().getBoundingClientRect()
  await userEvent.keyboard('{Escape}')
  await expect.element(publishNow).not.toBeInTheDocument()
  await entry.dblClick({ position: { x: x + width / 2, y: y + height / 2 } })
  await expect.element(publishNow).toBeVisible()
  expect(published()).toBe(0)
  await publishNow.click()
  await expect.poll(published).toBe(1)
})

test.each([
  { button: 'Save changes', message: postMessages.rescheduled, last: update },
  { button: 'Publish now', message: postMessages.publishingNow, last: { postId: ids.post } },
])('$button is finished and reported after the screen was left', async ({ button, message, last }) => {
  const answer = Promise.withResolvers<void>()
  const { sent, unmount } = await opened(planned, answer.promise)
  await caption.fill('New words')
  await page.getByRole('button', { name: button }).click()
  await expect.poll(sent).toEqual([update])
  await unmount()
  answer.resolve()
  await expect.element(page.getByRole('alertdialog').getByText(message)).toBeVisible()
  expect(sent().at(-1)).toEqual(last)
})

test('Duplicate as new copies the caption as edited', async () => {
  const { router } = await opened({ ...planned, media: [koi], mediaIds: [koi._id] })
  await caption.fill('New words')
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/new-post')
  const { step, global, media, pages } = wizardDraft(ada._id, uploads).get()
  expect([step, global.caption]).toEqual([3, 'New words'])
  expect([media.map((item) => item.mediaId), pages.map((one) => one.name)]).toEqual([[koi._id], ['Black Quill']])
})

test('Duplicate copies the caption as edited, also after its save was refused', async () => {
  wizardDraft(ada._id, uploads).update(() => newDraft(newUuid()))
  const { router, refuseUpdates } = await opened({ ...planned, media: [koi], mediaIds: [koi._id] })
  await caption.fill('New words')
  refuseUpdates(refusal(409, { message: postMessages.notEditable, code: 'conflict' }))
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(page.getByText('This post is already on its way, so it can no longer be changed.')).toBeVisible()
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/new-post')
  expect(wizardDraft(ada._id, uploads).get().global.caption).toBe('New words')
})

test('a duplicate that is loaded after the screen was left does not replace what was written meanwhile', async () => {
  const library = Promise.withResolvers<(typeof koi)[]>()
  const composer = wizardDraft(ada._id, uploads)
  composer.update(() => newDraft(newUuid()))
  const { calls, unmount } = await opened(planned, undefined, library.promise)
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await expect.poll(() => calls.map(({ path }) => path)).toContain('media.list')
  await unmount()
  composer.update((draft) => ({ ...draft, global: { title: '', caption: 'Written meanwhile' } }))
  library.resolve([koi])
  // What follows the answer runs before the next task.
  await new Promise((done) => setTimeout(done))
  expect(composer.get().global.caption).toBe('Written meanwhile')
  composer.update(() => newDraft(newUuid()))
})

test('asks before a duplicate replaces what was written in another tab since the dialog was opened', async () => {
  const composer = wizardDraft(ada._id, uploads)
  composer.update(() => newDraft(newUuid()))
  const { router } = await opened()
  const duplicate = page.getByRole('button', { name: 'Duplicate' })
  await expect.element(duplicate).toBeVisible()
  composer.update((draft) => ({ ...draft, global: { title: '', caption: 'Written elsewhere' } }))
  await duplicate.click()
  await page.getByRole('alertdialog', { name: 'Replace your draft?' }).getByRole('button', { name: 'Cancel' }).click()
  expect([router.state.location.pathname, composer.get().global.caption]).toEqual(['/', 'Written elsewhere'])
  composer.update(() => newDraft(newUuid()))
})

const modal = (name: string) => page.getByRole('dialog', { name })
const save = page.getByRole('button', { name: 'Save changes' })
const faults = async (name: string) => await accessibilityFaults(modal(name).element())

test('each page has its own caption; one can be used on all pages', async () => {
  const other = '019a0000-0000-7000-8000-000000000032'
  const variants = [ids.variant, other].map((_id, at) =>
    scheduledVariant({
      _id,
      postId: ids.post,
      pageId: `page-${at}`,
      pageName: `Quill ${at}`,
      message: 'Same everywhere',
    }),
  )
  const { sent } = await opened({ ...planned, variants })
  await expect.poll(() => caption.elements()).toHaveLength(2)
  await caption.nth(0).fill('Only here')
  await expect.element(caption.nth(1)).toHaveValue('Same everywhere')
  await page
    .getByRole('button', { name: /^Use on all pages/ })
    .nth(0)
    .click()
  await expect.element(caption.nth(1)).toHaveValue('Only here')
  await caption.nth(1).fill('And only there')
  expect(await faults('Reschedule Post')).toEqual([])
  await save.click()
  await expect.element(page.getByText(postMessages.rescheduled)).toBeVisible()
  expect(sent()).toEqual([
    {
      postId: ids.post,
      variants: [
        { _id: ids.variant, message: 'Only here' },
        { _id: other, message: 'And only there' },
      ],
    },
  ])
})

test('a post can be taken out of the queue, and keeps its time', async () => {
  const { sent } = await opened({ ...planned, queue: 'placed' })
  const leave = page.getByRole('button', { name: queueMessages.leave })
  await leave.click()
  await expect.element(page.getByText(queueMessages.leaves)).toBeVisible()
  await page.getByRole('button', { name: queueMessages.stay }).click()
  await expect.element(page.getByText(queueMessages.waits.placed)).toBeVisible()
  await leave.click()
  await save.click()
  await expect.poll(sent).toEqual([{ postId: ids.post, leavesQueue: true, variants: [] }])
})

test('a failed save and a post already being published are reported', async () => {
  const { sent, refuseUpdates, changeElsewhere, onClose } = await opened()
  // The log-in screen states the end of the session.
  refuseUpdates(refusal(401, { message: errorMessages.unauthenticated, code: 'unauthenticated' }))
  await caption.fill('Too late')
  await save.click()
  await expect.poll(sent).toHaveLength(1)
  refuseUpdates(noConnection())
  await save.click()
  await expect.element(page.getByText(postMessages.rescheduleFailed)).toBeVisible()
  expect(page.getByText(errorMessages.unauthenticated).elements()).toEqual([])
  await expect.element(modal('Reschedule Post')).toBeVisible()
  await expect.element(caption).toHaveValue('Too late')
  expect(onClose).not.toHaveBeenCalled()

  refuseUpdates(refusal(409, { message: postMessages.notEditable, code: 'conflict' }))
  await save.click()
  await expect.element(page.getByText('This post is already on its way, so it can no longer be changed.')).toBeVisible()
  await expect.element(page.getByRole('textbox')).not.toBeInTheDocument()
  await changeElsewhere({ ...planned, variants: [scheduledVariant({ ...planned.variants[0], phase: 'publishing' })] })
  await expect.element(page.getByRole('textbox')).not.toBeInTheDocument()
})

test('a save whose answer was lost has succeeded if the post is stored as it was sent', async () => {
  const { refuseUpdates, changeElsewhere, onClose } = await opened()
  refuseUpdates(noConnection())
  await caption.fill('New words')
  const variants = planned.variants.map((one) => ({ ...one, message: 'New words' }))
  await changeElsewhere({ ...planned, variants }, false)
  await save.click()
  await expect.element(page.getByText(postMessages.rescheduled)).toBeVisible()
  expect(page.getByText(postMessages.rescheduleFailed).elements()).toEqual([])
  expect(onClose).toHaveBeenCalledOnce()
})

const ended = (status: 'posted' | 'failed', reason: string | null): Post => ({
  ...planned,
  status,
  updatedAt: new Date(2039, 10, 10, 9, 30).toISOString(),
  errorMessage: reason,
  media: [koi],
  variants: [
    scheduledVariant({
      _id: ids.variant,
      postId: ids.post,
      status,
      phase: status,
      errorMessage: reason,
      permalink: status === 'posted' ? 'https://facebook.example/7' : null,
    }),
  ],
})

test('a posted post is read-only, and shows its media and the link of its page', async () => {
  await opened(ended('posted', null))
  const posted = modal('Posted Details')
  await expect.element(posted.getByRole('img', { name: 'Picture: koi' })).toBeVisible()
  await expect
    .element(posted.getByRole('link', { name: 'See it on Facebook: Black Quill' }))
    .toHaveAttribute('href', 'https://facebook.example/7')
  await expect.element(posted.getByText('11/10/2039, 9:30 AM')).toBeVisible()
  await expect.element(posted.getByRole('textbox')).not.toBeInTheDocument()
  await expect.element(save).not.toBeInTheDocument()
  expect(await faults('Posted Details')).toEqual([])
})

test.each([
  ['its reason once', 'Facebook said no.', 'Facebook said no.'],
  ['a general reason if the network gave none', null, postMessages.failedFallback],
])('a failed post is read-only, and shows %s', async (_, reason, shown) => {
  await opened(ended('failed', reason))
  const failed = modal('Failed Post Details')
  await expect.element(failed.getByText(shown)).toBeVisible()
  expect(failed.getByText(shown).elements()).toHaveLength(1)
  expect(failed.getByText(/^Failed\b/).elements()).toHaveLength(2)
  await expect.element(failed.getByRole('textbox')).not.toBeInTheDocument()
})

test('an unclear post is shown once as unclear, with a link to its page; it is posted again only after a confirmation', async () => {
  const post = ended('failed', postMessages.left.unclear)
  const pageUrl = 'https://www.facebook.com/page'
  const variants = post.variants.map((one) => ({ ...one, mayBeThere: 'unclear' as const, pageUrl }))
  const { postedAgain } = await opened({ ...post, variants })
  const failed = modal('Failed Post Details')
  await expect.element(failed.getByRole('link', { name: 'Look on Facebook' })).toHaveAttribute('href', pageUrl)
  const again = failed.getByRole('button', { name: /^It is not there, post again/ })
  await again.click()
  const question = page.getByRole('alertdialog', { name: 'Post to Black Quill again?' })
  await expect.element(question.getByText(postMessages.left.unclear)).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(question).not.toBeInTheDocument()
  expect(postedAgain()).toEqual([])
  await again.click()
  await clickTwice(question.getByRole('button', { name: 'Post again' }))
  await expect.element(page.getByText(postMessages.retrying)).toBeVisible()
  expect(postedAgain()).toEqual([{ postId: ids.post, variantId: ids.variant }])
})

test('an unclear post that another device has marked first is shown as posted, and says that no page has failed', async () => {
  const post = ended('failed', postMessages.left.unclear)
  const variants = post.variants.map((one) => ({ ...one, mayBeThere: 'unclear' as const }))
  const { changeElsewhere } = await opened({ ...post, variants })
  await page.getByRole('button', { name: /^It is there/ }).click()
  await page
    .getByRole('textbox', { name: 'Address of the post on Facebook' })
    .fill('https://www.facebook.com/page/posts/7')
  await changeElsewhere(ended('posted', null), false)
  await page.getByRole('button', { name: 'Mark as posted' }).click()
  await expect.element(modal('Posted Details')).toBeVisible()
  await expect.element(page.getByText(postMessages.nothingFailed)).toBeVisible()
})

test('a page that fails while it is shown, because its access has ended, offers to reconnect its account', async () => {
  const account = connectedAccount(9, 'facebook')
  const withAccount = (post: Post): Post => ({
    ...post,
    variants: post.variants.map((one) => ({ ...one, socialAccountId: account._id })),
  })
  const variants = planned.variants.map((one) => ({ ...one, phase: 'publishing' as const }))
  const { changeElsewhere, haveAccounts } = await opened(withAccount({ ...planned, variants }))
  haveAccounts(account)
  await expect.element(modal('Reschedule Post').getByText('Publishing on Facebook')).toBeVisible()
  haveAccounts({ ...account, health: 'reconnect' })
  await changeElsewhere(withAccount(ended('failed', 'Please connect the account again.')))
  await expect.element(page.getByRole('button', { name: 'Reconnect Facebook: Black Quill' })).toBeVisible()
})

test('a page whose outcome is not known yet says that its network is asked', async () => {
  await opened({ ...planned, variants: planned.variants.map((one) => ({ ...one, phase: 'unknown' as const })) })
  const note = 'Checking with Facebook whether it went out'
  await expect.element(modal('Reschedule Post').getByText(note).first()).toBeVisible()
})
