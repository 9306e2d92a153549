import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { connect } from '../api/testing/connect.ts'
import {
  fault,
  makeOutcomeUnknown,
  postNow,
  readPost,
  untilSettled,
  shownAt,
  uploadPictures,
  variantsOf,
} from '../api/testing/posting.ts'
import { control } from '../api/testing/sandbox.ts'
import { postMessages } from '../packages/contracts/posts/messages.ts'
import type { SocialAccount } from '../packages/contracts/social/schema.ts'
import { accessibilityFaults } from './accessibility.ts'
import { closeChecked, desktop, openWindow, setSession, type Page, type Window } from './browser.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  await app?.stop()
})

let artist: Artist
let account: SocialAccount
let window: Window
let page: Page
beforeEach(async () => {
  artist = await createArtist(app)
  account = await connect(app, artist, 'facebook')
  window = await openWindow({ reuse: true, baseUrl: app.url, size: desktop })
  await setSession(window, app.url, artist.cookies)
  page = window.page
  return async () => {
    await control(app, 'DELETE', '/faults')
    await closeChecked(window)
  }
})

let count = 0
const send = async (message: string): Promise<string> =>
  await postNow(artist, { mediaIds: await uploadPictures(artist), variants: variantsOf(account, { message }) })
const shown = async (message: string) => await shownAt(app, 'facebook', account.pages[0]?.pageId ?? '', message)

/** Opens the dialog of a published post whose response was lost. */
async function openUnclear(): Promise<{ message: string; postId: string }> {
  const message = `Peony ${++count}`
  const postId = await send(message)
  await untilSettled(artist, postId)
  await makeOutcomeUnknown(app, postId)
  await page.goto(`/scheduled-posts?post=${postId}`)
  return { message, postId }
}

const dialog = (): Locator => page.getByRole('dialog', { name: 'Failed Post Details' })
const button = (name: string): Locator => page.getByRole('button', { name: new RegExp(`^${name}`) })
const pageName = () => account.pages[0]?.name ?? ''

const dialogFaults = async () => await accessibilityFaults(page, '[role=dialog]')

describe('a post with an unclear outcome', () => {
  test('is marked as posted by picking it from the posts of its page, and gets its link from there', async () => {
    const { message, postId } = await openUnclear()
    await expect.poll(async () => await dialog().getByText(postMessages.left.unclear).count()).toBe(1)
    expect(await dialog().getByRole('link', { name: 'Look on Facebook' }).getAttribute('href')).toContain(
      account.pages[0]?.pageId,
    )
    await button('It is there').click()
    const group = dialog().getByRole('radiogroup', { name: `Which one on ${pageName()} is it?` })
    const mark = dialog().getByRole('button', { name: 'Mark as posted' })
    await group.getByText(message).waitFor()
    expect(await mark.isDisabled()).toBe(true)
    await group.getByText('None of these').click()
    await dialog().getByRole('textbox', { name: 'Address of the post on Facebook' }).waitFor()
    expect(await dialogFaults()).toEqual([])
    await group.getByText(message).click()
    const [post] = await shown(message)
    expect(await dialog().getByRole('link', { name: 'See this one' }).getAttribute('href')).toBe(post?.permalink)
    expect(await dialogFaults()).toEqual([])
    await mark.click()
    await page.getByText(postMessages.markedPosted).waitFor()
    expect(await page.getByRole('dialog').getByRole('link', { name: 'See it on Facebook' }).getAttribute('href')).toBe(
      post?.permalink,
    )
    expect((await readPost(artist, postId)).status).toBe('posted')
    expect(await shown(message)).toHaveLength(1)
  })

  test('is posted again after a confirmation, when the artist saw that it is not there', async () => {
    const message = `Peony ${++count}`
    await fault(app, 'facebook', 'drop', '/feed', { method: 'POST' })
    await fault(app, 'facebook', 'revoke-token', '/published_posts', { times: 1000 })
    const postId = await send(message)
    await untilSettled(artist, postId)
    await control(app, 'DELETE', '/faults')
    account = await connect(app, artist, 'facebook')
    expect(await shown(message)).toEqual([])
    await page.goto(`/scheduled-posts?post=${postId}`)
    await button('It is not there, post again').click()
    const question = page.getByRole('alertdialog', { name: `Post to ${pageName()} again?` })
    await question.getByText(postMessages.left.unclear).waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await shown(message)).toEqual([])
    await button('It is not there, post again').click()
    await question.getByRole('button', { name: 'Post again' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'See it on Facebook' }).waitFor()
    expect((await readPost(artist, postId)).status).toBe('posted')
    expect(await shown(message)).toHaveLength(1)
  })
})
