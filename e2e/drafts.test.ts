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

test('a draft that a program created appears without a reload, is opened and posted, and is then deleted', async () => {
  await page.goto('/drafts')
  await heading('No drafts').waitFor()
  await draftOfProgram('Moths by hand')
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

const caption = () => page.getByRole('textbox', { name: 'Caption' })
const stored = async () =>
  (await drafts()).map(({ _id, version, variants }) => ({ _id, version, words: variants[0]?.message }))

test('changes of an open draft are saved to it by the button and on leaving, and are posted from there', async () => {
  const { _id } = await draftOfProgram('Moths by hand')
  await page.goto('/drafts')
  await button('Open the draft Moths by hand').click()
  await caption().fill('Moths and thorns')
  await button('Save draft').click()
  await page.getByText(draftMessages.saved).waitFor()
  expect(await stored()).toEqual([{ _id, version: 2, words: 'Moths and thorns' }])

  await button('Open the draft Moths and thorns').click()
  await expect.poll(async () => await caption().inputValue()).toBe('Moths and thorns')
  await caption().fill('Thorns alone')
  await page.goBack()
  await heading('Thorns alone').waitFor()
  expect(await stored()).toEqual([{ _id, version: 3, words: 'Thorns alone' }])

  await button('Open the draft Thorns alone').click()
  await caption().fill('Roses in the end')
  await next()
  await button('Post Now').click()
  await heading('Done').waitFor()
  expect(await drafts()).toEqual([])
  expect((await posts()).map((post) => post.variants[0]?.message)).toEqual(['Roses in the end'])
})

test('a post that is saved for later becomes a draft, and the composer is empty again', async () => {
  await connectAll('facebook')
  await reachReady('For next week')
  await button('Save draft').click()
  await heading('For next week').waitFor()
  expect(await stored()).toMatchObject([{ version: 1, words: 'For next week' }])
  await page.goto('/new-post')
  await heading('Select Media').waitFor()
  await expect.poll(async () => await button('Save draft').isVisible()).toBe(false)
})

test('a draft that is changed elsewhere while it is open offers to keep both versions; one that is deleted elsewhere can be kept as a new draft', async () => {
  const { _id, version } = await draftOfProgram('From a program')
  await page.goto('/drafts')
  await button('Open the draft From a program').click()
  await caption().fill('My own words')
  expect((await artist.put(`/api/drafts/${_id}`, { version, title: 'Changed by a program' })).status).toBe(200)
  await page.getByText('This draft was changed somewhere else.').waitFor()
  await button('Keep both').click()
  await page.getByText(draftMessages.saved).waitFor()
  expect(await caption().inputValue()).toBe('My own words')
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
})

test('a draft that was posted elsewhere while it was open is not posted again', async () => {
  const draft = await draftOfProgram('Only once')
  await page.goto('/drafts')
  await button('Open the draft Only once').click()
  await heading('Post Caption').waitFor()
  expect((await artist.post(`/api/drafts/${draft._id}/post`, { when: 'now' })).status).toBe(202)
  await next()
  await button('Post Now').click()
  await page.getByText('This post was already sent, without your last changes.').waitFor()
  expect(await posts()).toHaveLength(1)
})

test('another post in the composer is replaced only after a confirmation', async () => {
  await draftOfProgram('From a program')
  await reachReady('My own words', { isUploaded: true })
  await page.goto('/drafts')
  await button('Open the draft From a program').click()
  await button('Keep the current post').click()
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

test('a draft is deleted at once and can be restored', async () => {
  const { mediaIds, variants } = await draftOfProgram('Not this one')
  await page.goto('/drafts')
  await button('Delete the draft Not this one').click()
  await page.getByText(draftMessages.deleted).waitFor()
  await heading('No drafts').waitFor()
  await button('Undo').click()
  await heading('Not this one').waitFor()
  await expect.poll(drafts).toMatchObject([{ title: 'Not this one', mediaIds, variants }])
})

test('a post takes the next time of a queue that was set up on the phone, and is held while the queue is paused', async () => {
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
