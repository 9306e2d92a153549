import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, PostCandidates, PostVariant } from '@flashsheet/contracts/posts/schema'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { rememberUser } from '../../../lib/remembered-user.ts'
import { saveUnsentText } from '../../../lib/session-end.ts'
import { accessibilityFaults } from '../../../test-accessibility.ts'
import { ada, noConnection, refusal, renderWithAnswers } from '../../../test-fixture.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { MarkPostedForm } from './mark-posted-form.tsx'
import { usePostActions } from './use-post-actions.ts'

const variant: PostVariant = {
  _id: '019a0000-0000-7000-8000-000000000003',
  platform: 'facebook',
  postId: '019a0000-0000-7000-8000-000000000002',
  socialAccountId: '019a0000-0000-7000-8000-000000000004',
  pageId: 'page-1',
  pageName: 'Black Quill',
  title: '',
  message: 'Peony',
  options: {},
  status: 'failed',
  phase: 'failed',
  progress: null,
  errorMessage: null,
  nextTryAt: null,
  mayBeThere: 'unclear',
  pageUrl: 'https://www.facebook.com/page-1',
  permalink: null,
}
const permalink = 'https://www.facebook.com/page-1/posts/7'
const post: Post = {
  _id: variant.postId,
  status: 'posted',
  scheduledAt: '2039-11-16T14:30:00.000Z',
  updatedAt: '2039-11-16T14:31:00.000Z',
  errorMessage: null,
  mediaIds: [],
  media: [],
  variants: [{ ...variant, status: 'posted', phase: 'posted', mayBeThere: null, pageUrl: null, permalink }],
}

function Form() {
  return <MarkPostedForm variant={variant} actions={usePostActions(variant.postId, () => {})} onDone={() => {}} />
}

const opened = async (candidates: () => PostCandidates, form = <Form />) =>
  await renderWithAnswers(form, {
    auth: { me: () => ada },
    posts: {
      candidates,
      pickCandidate: () => post,
      markPosted: ({ address }) => {
        if (address === permalink) return post
        throw refusal(400, { message: postMessages.notItsAddress('Facebook'), code: 'invalid' })
      },
    },
  })
const field = page.getByRole('textbox', { name: 'Address of the post on Facebook' })
const mark = page.getByRole('button', { name: 'Mark as posted' })

test('marks an unlisted post as posted by its address, and refuses a wrong address with the reason', async () => {
  const { calls } = await opened(() => ({
    candidates: [{ _id: '8', postedAt: '2039-11-16T14:30:00.000Z', words: 'Another peony', permalink: null }],
    canList: true,
    hasMore: false,
  }))
  await expect.element(page.getByText('Another peony')).toBeVisible()
  await expect.element(field).not.toBeInTheDocument()
  await page.getByText('None of these').click()
  await expect.element(mark).toBeDisabled()
  await field.fill('https://www.instagram.com/p/abc')
  await mark.click()
  await expect.element(page.getByText(postMessages.notItsAddress('Facebook'))).toBeVisible()
  await field.fill(permalink)
  await mark.click()
  await expect.element(page.getByText(postMessages.markedPosted)).toBeVisible()
  expect(calls.at(-1)).toEqual({
    path: 'posts.markPosted',
    input: { postId: variant.postId, variantId: variant._id, address: permalink },
  })
})

test('shows why an address was refused only at its own page', async () => {
  const other = { ...variant, _id: '019a0000-0000-7000-8000-000000000005', pageName: 'Grey Quill' }
  function Forms() {
    const actions = usePostActions(variant.postId, () => {})
    return [variant, other].map((one) => (
      <section key={one._id} aria-label={one.pageName}>
        <MarkPostedForm variant={one} actions={actions} onDone={() => {}} />
      </section>
    ))
  }
  const message = postMessages.notItsAddress('Facebook')
  await renderWithAnswers(<Forms />, {
    auth: { me: () => ada },
    posts: {
      candidates: () => ({ candidates: [], canList: false, hasMore: false }),
      markPosted: () => {
        throw refusal(400, { message, code: 'invalid' })
      },
    },
  })
  const grey = page.getByRole('region', { name: 'Grey Quill' })
  await grey.getByRole('textbox').fill('https://www.instagram.com/p/abc')
  await grey.getByRole('button', { name: 'Mark as posted' }).click()
  await expect.element(grey.getByText(message)).toBeVisible()
  expect(page.getByText(message).elements()).toHaveLength(1)
})

test('accepts an address if the network cannot list its posts, at the width of a small phone', async () => {
  await page.viewport(320, 640)
  await opened(() => {
    throw noConnection()
  })
  await expect.element(page.getByText(/You can paste the address instead\.$/)).toBeVisible()
  await field.fill(permalink)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  await mark.click()
  await expect.element(page.getByText(postMessages.markedPosted)).toBeVisible()
})

test('marks a listed post as posted, after a look at it', async () => {
  const { calls, container } = await opened(() => ({
    candidates: [{ _id: '7', postedAt: '2039-11-16T14:30:00.000Z', words: 'Peony', permalink }],
    canList: true,
    hasMore: false,
  }))
  const group = page.getByRole('radiogroup', { name: 'Which one on Black Quill is it?' })
  await expect.element(group.getByText('Peony')).toBeVisible()
  await expect.element(mark).toBeDisabled()
  await group.getByText('None of these').click()
  await expect.element(field).toBeVisible()
  expect(await accessibilityFaults(container)).toEqual([])
  await group.getByText('Peony').click()
  await expect.element(page.getByRole('link', { name: 'See this one' })).toHaveAttribute('href', permalink)
  expect(await accessibilityFaults(container)).toEqual([])
  await mark.click()
  await expect.element(page.getByText(postMessages.markedPosted)).toBeVisible()
  expect(calls.at(-1)).toEqual({
    path: 'posts.pickCandidate',
    input: { postId: variant.postId, variantId: variant._id, candidateId: '7' },
  })
})

test('keeps a pasted address when the session ends', async () => {
  rememberUser(ada)
  const listed = () => ({
    candidates: [{ _id: '8', postedAt: '2039-11-16T14:30:00.000Z', words: 'Another peony', permalink: null }],
    canList: true,
    hasMore: false,
  })
  const first = await opened(listed)
  await page.getByText('None of these').click()
  await field.fill(permalink)
  saveUnsentText()
  await first.unmount()
  await opened(listed)
  await expect.element(field).toHaveValue(permalink)
  rememberUser(null)
})

test('a tap beside the dialog does not close it over an address of an ended session', async () => {
  await page.viewport(1200, 700)
  rememberUser(ada)
  const onClose = vi.fn<() => void>()
  const inDialog = (
    <Dialog open onClose={onClose} title="Failed Post Details" actions={<button onClick={onClose}>Done</button>}>
      <Form />
    </Dialog>
  )
  const none = () => ({ candidates: [], canList: true, hasMore: false })
  const first = await opened(none, inDialog)
  await field.fill(permalink)
  saveUnsentText()
  await first.unmount()
  await opened(none, inDialog)
  await expect.element(field).toHaveValue(permalink)
  await expect.poll(() => document.querySelector('[data-settling]')).toBeNull()
  await userEvent.click(document.body, { position: { x: 5, y: 5 } })
  await page.getByRole('button', { name: 'Done' }).click()
  expect(onClose).toHaveBeenCalledOnce()
  rememberUser(null)
})
