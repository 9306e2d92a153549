import { expect, test } from 'vitest'
import { connect } from '../api/testing/connect.ts'
import { uploadPictures, variantsOf } from '../api/testing/posting.ts'
import { draftMessages } from '../packages/contracts/drafts/messages.ts'
import type { Draft } from '../packages/contracts/drafts/schema.ts'
import type { Queue } from '../packages/contracts/queue/schema.ts'
import { queueMessages } from '../packages/contracts/queue/messages.ts'
import { app, artist, button, connectAll, heading, next, page, posts, reachReady, useWizard } from './wizard-fixture.ts'

useWizard()

const drafts = async () => (await artist.get<Draft[]>('/api/drafts')).body
const queue = async () => (await artist.get<Queue>('/api/queue')).body

async function draftOfProgram(message: string): Promise<Draft> {
  const account = await connect(app, artist, 'facebook')
  const mediaIds = await uploadPictures(artist)
  return (
    await artist.post<Draft>('/api/drafts', { title: message, mediaIds, variants: variantsOf(account, { message }) })
  ).body
}

test('a draft that a program made is found on the phone, opened and posted, and is gone then', async () => {
  await page.goto('/drafts')
  await heading('No drafts').waitFor()
  await draftOfProgram('Moths by hand')
  await page.reload()
  await heading('Moths by hand').waitFor()
  await button('Open the draft Moths by hand').click()
  await heading('Post Caption').waitFor()
  await expect.poll(async () => await page.getByRole('textbox', { name: 'Caption' }).inputValue()).toBe('Moths by hand')
  await next()
  await heading('Ready to Post').waitFor()
  await button('Post Now').click()
  await heading('Done').waitFor()
  await expect.poll(async () => await drafts()).toEqual([])
  expect((await posts()).map((post) => post.variants[0]?.message)).toEqual(['Moths by hand'])
})

test('a draft that was posted elsewhere while it was open is not posted once more', async () => {
  const draft = await draftOfProgram('Only once')
  await page.goto('/drafts')
  await button('Open the draft Only once').click()
  await heading('Post Caption').waitFor()
  expect((await artist.post(`/api/drafts/${draft._id}/post`, { when: 'now' })).status).toBe(202)
  await next()
  await button('Post Now').click()
  await page.getByText('This post was already sent, as it was before your last changes.').waitFor()
  expect(await posts()).toHaveLength(1)
})

test('another post in the composer is replaced only when the artist says so', async () => {
  await draftOfProgram('From a program')
  await reachReady('My own words', { isUploaded: true })
  await page.goto('/drafts')
  await button('Open the draft From a program').click()
  await button('Keep what is there').click()
  await page.goto('/new-post')
  await page.getByText('My own words').first().waitFor()
  await page.goto('/drafts')
  await button('Open the draft From a program').click()
  await button('Open the draft').click()
  await heading('Post Caption').waitFor()
  await expect
    .poll(async () => await page.getByRole('textbox', { name: 'Caption' }).inputValue())
    .toBe('From a program')
})

test('a draft is deleted at once and can be brought back', async () => {
  const { mediaIds, variants } = await draftOfProgram('Not this one')
  await page.goto('/drafts')
  await button('Delete the draft Not this one').click()
  await page.getByText(draftMessages.deleted).waitFor()
  await heading('No drafts').waitFor()
  await button('Undo').click()
  await heading('Not this one').waitFor()
  await expect.poll(drafts).toMatchObject([{ title: 'Not this one', mediaIds, variants }])
})

test('a post takes the next time of a queue that was made on the phone, and waits while it is paused', async () => {
  await connectAll('facebook')
  await page.goto('/queue')
  await page.getByText('There are no times yet, so nothing can be queued.').waitFor()
  await button('Add a time').click()
  await page.getByLabel('Time 1', { exact: true }).fill('09:30')
  await button('Saturday').click()
  await button('Save times').click()
  await page.getByText(queueMessages.saved).waitFor()
  expect((await queue()).slots).toEqual([{ days: [1, 2, 3, 4, 5, 6], time: '09:30' }])

  await reachReady('Flash for the week')
  await page.getByText(/^The next free time of your queue is /).waitFor()
  await button('Add to queue').click()
  await heading('Scheduled').waitFor()
  await expect.poll(async () => (await posts()).map((post) => post.queue)).toEqual(['placed'])

  await page.goto('/queue')
  await page.getByRole('switch', { name: 'Pause the queue' }).focus()
  await page.keyboard.press('Space')
  await page.getByText(queueMessages.pausedNow).waitFor()
  await expect.poll(async () => (await posts()).map((post) => post.queue)).toEqual(['paused'])
})

test('times without a day are refused before they are sent', async () => {
  await page.goto('/queue')
  await button('Add a time').click()
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) await button(day).click()
  await button('Save times').click()
  await page.getByText(queueMessages.daysRequired).waitFor()
  expect((await queue()).slots).toEqual([])
})
