import { expect, test } from 'vitest'
import { createArtist } from '../api/testing/actors.ts'
import { connect } from '../api/testing/connect.ts'
import { uploadPictures, variantsOf } from '../api/testing/posting.ts'
import { endSessions, insertPages } from '../api/testing/records.ts'
import { loginMessages } from '../packages/contracts/login/messages.ts'
import { draftMessages } from '../packages/contracts/drafts/messages.ts'
import type { Draft } from '../packages/contracts/drafts/schema.ts'
import { postMessages } from '../packages/contracts/posts/messages.ts'
import type { Post } from '../packages/contracts/posts/schema.ts'
import { socialMessages } from '../packages/contracts/social/messages.ts'
import { holdRequests, phone, setSession } from './browser.ts'
import {
  app,
  artist,
  button,
  connectAll,
  heading,
  next,
  page,
  pick,
  picture,
  posts,
  reachReady,
  clickThroughToReady,
  window,
  useWizard,
} from './wizard-fixture.ts'

useWizard()

test("the browser's Back goes one step back and keeps all input, also after a reload, and leaves from the first step; another user of this browser does not see it", async () => {
  await insertPages(app, artist, ['Inkwell Tattoo', 'Inkwell Prints'])
  const step = async () => new URL(page.url()).searchParams.get('step')
  await uploadPictures(artist)
  await page.goto('/media')
  await page.getByText('Your Media Library').waitFor()
  await page.goto('/new-post?step=4')
  await heading('Select Media').waitFor()
  await expect.poll(step).toBeNull()
  await page.getByRole('tab', { name: 'Media Library' }).click()
  await page.getByRole('grid', { name: 'Media library' }).getByRole('row').first().click()
  await button('Next').dblclick()
  await button('Select all').click()
  await next()
  const caption = page.getByRole('textbox', { name: 'Caption' })
  await caption.fill('Typed before the gesture')
  await page.goBack()
  await heading('Select Social Accounts').waitFor()
  await expect.poll(step).toBe('2')
  // Changing steps needs no connection.
  await page.context().setOffline(true)
  await page.goForward()
  await expect.poll(async () => await caption.inputValue()).toBe('Typed before the gesture')
  await page.context().setOffline(false)
  await page.reload()
  await heading('Post Caption').waitFor()
  await expect.poll(async () => await caption.inputValue()).toBe('Typed before the gesture')
  // A link to the current screen adds no history entry.
  const entry = async () => await page.evaluate(() => (history.state as { __TSR_index: number }).__TSR_index)
  const before = await entry()
  await button('Menu').click()
  await page.getByRole('link', { name: 'New Post', exact: true }).click()
  await heading('Post Caption').waitFor()
  await expect.poll(entry).toBe(before)
  // The button uses the same history entries as the browser's Back.
  await button('Back').click()
  await heading('Select Social Accounts').waitFor()
  await page.goBack()
  await heading('Select Media').waitFor()
  await page.goBack()
  await page.waitForURL((url) => url.pathname === '/media')

  const other = await createArtist(app)
  await setSession(window, app.url, other.cookies)
  await page.goto('/new-post?step=3')
  await heading('Select Media').waitFor()
  expect(await page.getByText('Typed before the gesture').count()).toBe(0)
})

test('pictures are kept while an account is connected, and a link leads back to the waiting post at its step', async () => {
  await page.goto('/new-post')
  await pick('Single Image', await picture('kept.jpg'))
  await next()
  await page.getByText(socialMessages.wizardNoneConnected).waitFor()
  await page.getByRole('link', { name: 'Connect accounts' }).click()
  await page.waitForURL('**/social-accounts')
  await page.goBack()
  await button('Back').click()
  await page.getByText('kept.jpg').waitFor()
  await next()
  await page.getByRole('link', { name: 'Connect accounts' }).click()
  // A running upload would ask before another page opens.
  await page.waitForFunction(
    (id) => !(localStorage.getItem(`draft:${id}`) ?? '"mediaId":null').includes('"mediaId":null'),
    artist.id,
  )
  await button('Connect Facebook').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click()
  await button('Approve').click()
  await page.getByText('Your unfinished post is still there.').waitFor()
  await page.getByRole('link', { name: 'Back to your post' }).click()
  await heading('Select Social Accounts').waitFor()
  await page.getByRole('group', { name: 'Facebook' }).waitFor()
})

test('after sending, Back leaves the wizard and Forward offers nothing to send again', async () => {
  await connectAll('linkedin')
  await page.goto('/media')
  await page.getByText('Your Media Library').waitFor()
  // Low enough to scroll the first step.
  await page.setViewportSize({ width: phone.width, height: 360 })
  await clickThroughToReady('Only once')
  // The wizard cannot go back while it is sending.
  const release = await holdRequests(page, '**/trpc/posts.create*')
  await button('Post Now').click()
  await button(/Posting\.\.\./).waitFor()
  await page.evaluate(() => history.back())
  await expect.poll(async () => await page.evaluate(() => location.search)).toBe('?step=4')
  await heading('Ready to Post').waitFor()
  release()
  await page.getByText(postMessages.postedAll(2)).first().waitFor()
  const stepsBefore = async () =>
    await page.evaluate(() => (history.state as { stepsBefore: unknown[] }).stepsBefore.length)
  await expect.poll(stepsBefore).toBe(0)
  // The result is shown from its top, although the first step was scrolled.
  await expect.poll(async () => await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0)
  await page.goBack()
  await page.waitForURL((url) => url.pathname === '/media')
  for (const _ of ['the entry that was left', 'one after it']) {
    await page.goForward()
    await heading('Done').waitFor()
    expect(await button('Post Now').count()).toBe(0)
    await expect.poll(stepsBefore).toBe(0)
  }
  await button('Menu').click()
  await page.getByRole('link', { name: 'New Post', exact: true }).click()
  await heading('Select Media').waitFor()
  expect(await posts()).toHaveLength(1)
})

test('sending after the session has ended leads to the login; the draft is still there afterwards and is sent once', async () => {
  await connectAll('linkedin')
  await reachReady('Typed before the session ended')
  await endSessions(app, artist)
  // A query may be refused first, which leads to the log-in too and removes the button.
  await button('Post Now')
    .click({ timeout: 2000 })
    .catch(() => undefined)
  await page.waitForURL((url) => url.pathname === '/login')
  await page.getByText(loginMessages.signedOut).waitFor()
  await page.getByLabel('Email').fill(artist.email)
  await page.getByLabel('Password', { exact: true }).fill(artist.password)
  await button('Log in').click()
  await heading('Ready to Post').waitFor()
  await button('Post Now').click()
  await page.getByText(postMessages.postedAll(2)).first().waitFor()
  const again = app.visitor()
  await again.post('/api/users/auth', { email: artist.email, password: artist.password })
  expect((await again.get<Post[]>('/api/posts')).body).toHaveLength(1)
})

const drafts = async () => (await artist.get<Draft[]>('/api/drafts')).body
const stored = async () =>
  (await drafts()).map(({ _id, version, variants }) => ({ _id, version, words: variants[0]?.message }))

async function draftOfProgram(message: string): Promise<Draft> {
  const account = await connect(app, artist, 'facebook')
  const mediaIds = await uploadPictures(artist)
  return (
    await artist.post<Draft>('/api/drafts', { title: message, mediaIds, variants: variantsOf(account, { message }) })
  ).body
}

test('a draft that a program created appears without a reload; changes are saved to it by the button and on leaving, and are posted from there', async () => {
  await page.goto('/drafts')
  await heading('No drafts').waitFor()
  const { _id } = await draftOfProgram('Moths by hand')
  await heading('Moths by hand').waitFor()
  await button('Open the draft Moths by hand').click()
  await heading('Post Caption').waitFor()
  const caption = page.getByRole('textbox', { name: 'Caption' })
  await expect.poll(async () => await caption.inputValue()).toBe('Moths by hand')
  await caption.fill('Moths and thorns')
  await button('Save draft').click()
  await page.getByText(draftMessages.saved).waitFor()
  expect(await stored()).toEqual([{ _id, version: 2, words: 'Moths and thorns' }])

  await button('Open the draft Moths and thorns').click()
  await expect.poll(async () => await caption.inputValue()).toBe('Moths and thorns')
  await caption.fill('Thorns alone')
  await page.goBack()
  await heading('Thorns alone').waitFor()
  expect(await stored()).toEqual([{ _id, version: 3, words: 'Thorns alone' }])

  await button('Open the draft Thorns alone').click()
  await caption.fill('Roses in the end')
  await next()
  await button('Post Now').click()
  await heading('Done').waitFor()
  await expect.poll(drafts).toEqual([])
  expect((await posts()).map((post) => post.variants[0]?.message)).toEqual(['Roses in the end'])
})

test('a draft that is changed elsewhere while it is open offers to keep both versions; one that is deleted elsewhere can be kept as a new draft; one that is posted elsewhere is not posted again', async () => {
  const { _id, version } = await draftOfProgram('From a program')
  await page.goto('/drafts')
  await button('Open the draft From a program').click()
  const caption = page.getByRole('textbox', { name: 'Caption' })
  await caption.fill('My own words')
  expect((await artist.put(`/api/drafts/${_id}`, { version, title: 'Changed by a program' })).status).toBe(200)
  await page.getByText('This draft was changed somewhere else.').waitFor()
  await button('Keep both').click()
  await page.getByText(draftMessages.saved).waitFor()
  expect(await caption.inputValue()).toBe('My own words')
  expect(await drafts()).toMatchObject([
    { version: 1, variants: [{ message: 'My own words' }] },
    { _id, version: 2, title: 'Changed by a program', variants: [{ message: 'From a program' }] },
  ])
  await page.getByText('This draft was changed somewhere else.').waitFor({ state: 'hidden' })

  const own = (await drafts()).find((draft) => draft._id !== _id)?._id
  expect((await artist.delete(`/api/drafts/${own}`)).status).toBe(200)
  await page.getByText(draftMessages.gone).waitFor()
  await button('Keep it as a new draft').click()
  const kept = async () => (await stored()).filter((draft) => draft._id !== _id && draft._id !== own)
  await expect.poll(kept).toMatchObject([{ version: 1, words: 'My own words' }])
  await page.getByText(draftMessages.gone).waitFor({ state: 'hidden' })

  const [open] = await kept()
  expect((await artist.post(`/api/drafts/${open?._id}/post`, { when: 'now' })).status).toBe(202)
  await next()
  await button('Post Now').click()
  await page.getByText('This post was already sent, without your last changes.').waitFor()
  await button('Keep it as a new draft').click()
  await heading('Drafts').waitFor()
  expect(await kept()).toMatchObject([{ version: 1, words: 'My own words' }])
  expect(await posts()).toHaveLength(1)
})
