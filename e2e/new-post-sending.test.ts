import { expect, test } from 'vitest'
import { connect } from '../api/testing/connect.ts'
import {
  fault,
  makeOutcomeUnknown,
  postNow,
  readPost,
  shownAt,
  untilSettled,
  uploadPictures,
  variantsOf,
} from '../api/testing/posting.ts'
import { control, type SandboxPost } from '../api/testing/sandbox.ts'
import { postMessages } from '../packages/contracts/posts/messages.ts'
import type { SocialAccount } from '../packages/contracts/social/schema.ts'
import { app, artist, button, connectAll, heading, page, posts, reachReady, useWizard } from './wizard-fixture.ts'

useWizard()

test('a lost response is requested again after a reload, and creates one post', async () => {
  await connectAll('linkedin')
  await reachReady('Sent once')
  let isReloaded = false
  await page.route('**/trpc/posts.create*', async (route) => {
    if (isReloaded) return await route.continue()
    await route.fetch()
    await route.abort()
  })
  await button('Post Now').click()
  await button(/Posting\.\.\./).waitFor()
  await page.getByText(/pressing again never posts twice\./).waitFor()
  await page.reload()
  isReloaded = true
  await button('Post Now').dblclick()
  await page.getByText(postMessages.postedAll(2)).first().waitFor()
  expect(await posts()).toHaveLength(1)
  // After the outcome was shown, the wizard is empty.
  await page.getByRole('link', { name: 'Scheduled posts', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Scheduled Posts' }).waitFor()
  // The calendar of a phone does not load the grid of wide screens.
  await button('Today').waitFor()
  expect(
    await page.evaluate(() =>
      performance.getEntriesByType('resource').some((entry) => entry.name.includes('calendar-grid')),
    ),
  ).toBe(false)
  await page.goBack()
  await heading('Select Media').waitFor()
})

test('failed pages show the reason, and can be retried alone', async () => {
  await connectAll('facebook', 'linkedin')
  const refusal = {
    error: { message: 'No', type: 'OAuthException', code: 1404102, error_user_msg: 'This picture is not allowed.' },
  }
  await control(app, 'POST', '/faults', {
    service: 'facebook',
    method: 'POST',
    path: 'photos',
    skip: 0,
    times: 20,
    kind: 'status',
    status: 400,
    body: refusal,
  })
  await reachReady('Try again')
  await button('Post Now').click()
  await page.getByText(postMessages.postedSome(2, 2)).first().waitFor()
  await expect.poll(async () => await page.getByText(/This picture is not allowed\./).count()).toBe(2)
  await control(app, 'DELETE', '/faults')
  // The retry is carried out, and only its answer is lost.
  await page.route('**/trpc/posts.retry*', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await button('Try again').dblclick()
  await page.getByText(postMessages.unanswered).waitFor()
  await page.getByText(postMessages.postedAll(4)).first().waitFor()
  expect((await posts()).map((post) => [post.status, post.variants.length])).toEqual([['posted', 4]])
  const published = await control<SandboxPost[]>(app, 'GET', '/posts')
  expect(published.filter(({ text }) => text === 'Try again')).toHaveLength(4)
})

test('a portrait is cropped to 4:5 for Instagram, moved by keys, and published as in the preview', async () => {
  await connectAll('instagram')
  await uploadPictures(artist, 1, [900, 1200])
  await reachReady('Cropped', { isUploaded: true })
  const part = page.getByRole('slider', { name: /^Which part of/ })
  await expect.poll(async () => await part.getAttribute('aria-valuenow')).toBe('50')
  await expect
    .poll(async () => {
      const { width = 0, height = 1 } = (await part.boundingBox()) ?? {}
      return width / height
    })
    .toBeCloseTo(4 / 5, 1)
  await part.focus()
  await page.keyboard.press('End')
  await page.getByText('Instagram gets: JPEG, cropped to 4:5').waitFor()
  await button('Fit').click()
  await page.getByText(/Instagram gets: JPEG, 960 × 1200/).waitFor()
  await button('Crop').click()
  await expect.poll(async () => await part.getAttribute('aria-valuenow')).toBe('100')
  await button('Post Now').click()
  await page.getByText(postMessages.postedAll(1)).first().waitFor()
  const [post] = await posts()
  expect(post?.variants[0]?.crops).toEqual([{ x: 0, y: 0.0625, width: 1, height: 0.9375 }])
  const shown = await control<SandboxPost[]>(app, 'GET', '/posts?platform=instagram')
  expect(shown.find((one) => one.text === 'Cropped')?.media).toMatchObject([{ width: 900, height: 1125 }])
})

const shown = async (account: SocialAccount, message: string) =>
  await shownAt(app, 'facebook', account.pages[0]?.pageId ?? '', message)
const failedDetails = () => page.getByRole('dialog', { name: 'Failed Post Details' })
const linkToPost = () => page.getByRole('dialog').getByRole('link', { name: 'See it on Facebook' })

test('a post with an unclear outcome is marked as posted by picking it from the posts of its page, and gets its link from there', async () => {
  const account = await connect(app, artist, 'facebook')
  const message = 'Peony'
  const postId = await postNow(artist, {
    mediaIds: await uploadPictures(artist),
    variants: variantsOf(account, { message }),
  })
  await untilSettled(artist, postId)
  await makeOutcomeUnknown(app, postId)
  await page.goto(`/scheduled-posts?post=${postId}`)
  await expect.poll(async () => await failedDetails().getByText(postMessages.left.unclear).count()).toBe(1)
  expect(await failedDetails().getByRole('link', { name: 'Look on Facebook' }).getAttribute('href')).toContain(
    account.pages[0]?.pageId,
  )
  await button(/^It is there/).click()
  await failedDetails().getByRole('radiogroup').getByText(message).click()
  await button('Mark as posted').click()
  await page.getByText(postMessages.markedPosted).waitFor()
  const [post] = await shown(account, message)
  expect(await linkToPost().getAttribute('href')).toBe(post?.permalink)
  expect((await readPost(artist, postId)).status).toBe('posted')
  expect(await shown(account, message)).toHaveLength(1)
})

test('a post with an unclear outcome is posted again after a confirmation, when the artist saw that it is not there', async () => {
  const account = await connect(app, artist, 'facebook')
  const message = 'Peony again'
  await fault(app, 'facebook', 'drop', '/feed', { method: 'POST' })
  await fault(app, 'facebook', 'revoke-token', '/published_posts', { times: 1000 })
  const postId = await postNow(artist, {
    mediaIds: await uploadPictures(artist),
    variants: variantsOf(account, { message }),
  })
  await untilSettled(artist, postId)
  await control(app, 'DELETE', '/faults')
  await connect(app, artist, 'facebook')
  expect(await shown(account, message)).toEqual([])
  await page.goto(`/scheduled-posts?post=${postId}`)
  await button(/^It is not there, post again/).click()
  const question = page.getByRole('alertdialog', { name: `Post to ${account.pages[0]?.name} again?` })
  await question.getByText(postMessages.left.unclear).waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await shown(account, message)).toEqual([])
  await button(/^It is not there, post again/).click()
  await question.getByRole('button', { name: 'Post again' }).click()
  await linkToPost().waitFor()
  expect((await readPost(artist, postId)).status).toBe('posted')
  expect(await shown(account, message)).toHaveLength(1)
})
