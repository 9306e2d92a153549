import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import type { Draft as StoredDraft } from '@flashsheet/contracts/drafts/schema'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { nextSlot } from '@flashsheet/contracts/queue/limits'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { zoneLabel } from '@flashsheet/contracts/time'
import type {} from '@vitest/browser-playwright'
import { beforeEach, expect, test, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { formatScheduled } from '../../../lib/format.ts'
import type { RouterInputs } from '../../../lib/trpc.ts'
import { newUuid } from '../../../lib/uuid.ts'
import { ada, koi, noConnection, refusal, renderWithAnswers, type Answers } from '../../../test-fixture.tsx'
import { uploads } from '../../media/uploads.ts'
import { connectedAccount, creator } from '../../social/account-fixture.ts'
import { wizardDraft } from '../draft/draft-uploads.ts'
import { chooseTab, draftFromMedia, newDraft, togglePage, type Draft, type Step } from '../draft/draft.ts'
import { leftOutText } from '../draft/remove-gone.ts'
import { NewPostScreen } from './new-post-screen.tsx'

/** Zones of Nepal differ from all others by a quarter of an hour. */
const studioZone = 'Asia/Kathmandu'
const store = wizardDraft(ada._id, uploads)

beforeEach(() => {
  // Uploads stay at their beginning, as on a very slow connection.
  vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(() => {})
  return () => {
    // Removes the uploads of the draft.
    store.update(() => newDraft(newUuid()))
    vi.restoreAllMocks()
  }
})

const facebook = connectedAccount(1, 'facebook', ['Black Quill', 'Quill Prints'])
const tiktok = connectedAccount(2, 'tiktok', ['quill.tattoo'])
const youtube = connectedAccount(3, 'youtube', ['Quill on Film'])
const reel: MediaItem = {
  ...koi,
  _id: '019a0000-0000-7000-8000-000000000011',
  type: 'video',
  name: 'reel',
  fileName: 'reel.mp4',
  dimensions: { width: 1080, height: 1920 },
  duration: 5,
}

/** The wizard with a stored draft of these items for all pages of these accounts, at a step. */
async function opened(
  step: Step,
  items: MediaItem[],
  accounts: SocialAccount[],
  { change = (draft: Draft) => draft, at = '/new-post', answers = {} as Answers } = {},
) {
  const picked = accounts.flatMap(({ _id: socialAccountId, platform, pages }) =>
    pages.map(({ pageId, name }) => ({ platform, socialAccountId, pageId, name })),
  )
  const { draft } = items.length > 0 ? draftFromMedia(items, newUuid()) : { draft: newDraft(newUuid()) }
  store.update(() => change({ ...(step > 2 ? picked.reduce(togglePage, draft) : draft), step }))
  let count = 0
  const accept = (scheduledAt: string) => ({
    _id: `019a0000-0000-7000-8000-00000000010${count++}`,
    scheduledAt,
    targets: [],
  })
  const screen = await renderWithAnswers(
    <NewPostScreen />,
    {
      auth: { me: () => ada, studioZone: () => ({ timeZone: studioZone }) },
      social: { accounts: () => accounts, creatorInfo: () => creator, ...answers.social },
      posts: {
        allowances: () => [],
        slotFor: () => ({ hasSlots: false, paused: false, at: null }),
        mediaUses: () => [],
        create: () => accept('2039-11-16T14:30:00.000Z'),
        schedule: ({ scheduledAt }) => accept(scheduledAt === nextSlot ? '2039-11-16T14:30:00.000Z' : scheduledAt),
        ...answers.posts,
      },
      media: {
        list: () => items,
        usage: () => ({ count: items.length, capacity: 100 }),
        forNetwork: () => ({ media: [], refusal: null }),
      },
      subscription: { mine: () => null },
      ...(answers.drafts ? { drafts: answers.drafts } : {}),
    },
    at,
  )
  const sent = () =>
    screen.calls.filter(({ path }) => ['posts.create', 'posts.schedule'].includes(path)).map(({ input }) => input)
  return { ...screen, sent }
}

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const heading = (name: string) => page.getByRole('heading', { name, exact: true })
const next = button('Next')
const box = (name: string) => page.getByRole('checkbox', { name })

const picture = (name: string) => new File([name], name, { type: 'image/jpeg' })
/** Presses a card and picks files. */
async function pick(card: string, ...files: File[]): Promise<void> {
  await button(new RegExp(`^${card}`)).click()
  await userEvent.upload(document.querySelector('input[type=file]') ?? expect.fail('there is no picker'), files)
}
const rows = page.getByRole('grid', { name: /Picked media/ }).getByRole('row')
const scrollToEnd = () => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
const untilPicked = async (count: number) => await expect.poll(() => rows.elements()).toHaveLength(count)

test('Next is disabled until media are picked; another card or tab starts a new selection', async () => {
  await opened(1, [], [])
  await expect.element(next).toBeDisabled()
  await expect.element(page.getByText(postMessages.mediaRequired)).toBeVisible()
  await pick('Multiple Images', picture('a.jpg'), picture('b.jpg'))
  await untilPicked(2)
  await expect.element(next).toBeEnabled()
  // The refused file is named, and the files after it can be added.
  const notes = new File(['x'], 'notes.pdf', { type: 'application/pdf' })
  await pick('Multiple Images', picture('c.jpg'), notes, picture('d.jpg'), picture('e.jpg'))
  const alert = page.getByRole('alert')
  await expect.element(alert.getByText(mediaMessages.unsupported)).toBeVisible()
  await expect.element(alert.getByText('notes.pdf was not added, nor were the 2 files after it.')).toBeVisible()
  await untilPicked(3)
  await button('Add the other 2').click()
  await untilPicked(5)
  await expect.element(alert).not.toBeInTheDocument()
  await pick('Single Image', new File(['x'], 'reel.mp4', { type: 'video/mp4' }))
  await expect.element(alert.getByText(mediaMessages.imageType)).toBeVisible()
  await untilPicked(0)
  await pick('Single Image', picture('c.jpg'))
  await untilPicked(1)
  await page.getByRole('tab', { name: 'Media Library' }).click()
  await page.getByRole('tab', { name: 'Upload' }).click()
  await expect.element(page.getByText(postMessages.mediaRequired)).toBeVisible()
  await untilPicked(0)
})

test('a file whose upload was lost is not announced as uploaded', async () => {
  await opened(1, [koi], [], {
    change: (draft) => ({
      ...chooseTab(draft, 'upload'),
      media: draft.media.map((item) => ({ ...item, mediaId: null, isLocal: true })),
    }),
  })
  const announced = page.getByRole('region', { name: 'Picked media' }).getByRole('status')
  await expect.element(announced).toHaveTextContent('Some files did not arrive. Remove them or pick them again.')
  // This window does not know whether another one uploads the file; picked again here, it would begin from the start.
  await expect.element(page.getByText(/^If another tab is uploading this file, let it finish there\./)).toBeVisible()
})

test('the cards for videos, one picture and several have their names at the same height', async () => {
  await page.viewport(520, 900)
  await opened(1, [], [])
  await expect.element(button(/^Video/)).toBeVisible()
  const tops = ['Video', 'Single Image', 'Multiple Images'].map((name) =>
    Math.round(page.getByText(name, { exact: true }).element().getBoundingClientRect().top),
  )
  expect(new Set(tops).size).toBe(1)
})

test('an eleventh picture is refused, and pictures are reordered by keyboard', async () => {
  await opened(1, [], [])
  await pick('Multiple Images', ...Array.from({ length: 11 }, (_, n) => picture(`${n}.jpg`)))
  const alert = page.getByRole('alert')
  await expect.element(alert.getByText('10.jpg was not added.')).toBeVisible()
  await untilPicked(10)
  const handle = rows.nth(0).getByRole('button').nth(0).element() as HTMLElement
  handle.focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => document.activeElement?.getAttribute('aria-roledescription')).toBe('drop indicator')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  await expect
    .poll(() =>
      rows
        .elements()
        .slice(0, 3)
        .map((row) => /\d+\.jpg/.exec(row.textContent)?.[0]),
    )
    .toEqual(['1.jpg', '2.jpg', '0.jpg'])
  scrollToEnd()
  await pick('Choose pictures', picture('11.jpg'))
  await expect.element(alert.getByText(postMessages.tooManyImages)).toBeInViewport()
})

test('the picture stays visible while its caption is written: above it on a phone, beside it on a desktop', async () => {
  // Low enough to scroll to the caption.
  await page.viewport(390, 480)
  await opened(3, [koi], [facebook])
  const shown = page.getByRole('list', { name: 'What you are posting' }).getByRole('img')
  const caption = page.getByRole('textbox', { name: 'Caption' })
  await caption.fill('Line upon line.\n'.repeat(12))
  scrollToEnd()
  await expect.poll(() => window.scrollY).toBeGreaterThan(100)
  const place = () => shown.element().getBoundingClientRect()
  await expect.poll(() => place().y > 60 && place().y < 140).toBe(true)
  await page.viewport(1440, 900)
  await expect.poll(() => place().x >= caption.element().getBoundingClientRect().right).toBe(true)
  await expect.poll(() => place().width).toBeGreaterThan(250)
})

test('a step cannot be opened ahead of time; opening the wizard again continues at the last step', async () => {
  const ahead = await opened(1, [], [], { at: '/new-post?step=4' })
  const search = (router: typeof ahead.router) => router.state.location.searchStr
  await expect.element(heading('Select Media')).toBeVisible()
  await expect.poll(() => search(ahead.router)).toBe('')
  await ahead.unmount()
  const named = await opened(1, [koi], [facebook], {
    at: '/new-post?step=3',
    change: (draft) =>
      togglePage(draft, { platform: 'facebook', socialAccountId: facebook._id, pageId: 'a', name: 'a' }),
  })
  await expect.element(heading('Post Caption')).toBeVisible()
  await named.unmount()

  const { router } = await opened(3, [koi], [facebook])
  await expect.element(heading('Post Caption')).toBeVisible()
  await expect.poll(() => search(router)).toBe('?step=3')
})

test('a double click on Next opens one step, and posts nothing', async () => {
  const { sent } = await opened(2, [koi], [facebook])
  await button('Select all').click()
  await next.dblClick()
  await expect.element(heading('Post Caption')).toBeVisible()
  await next.dblClick()
  await expect.element(button('Post Now')).toBeVisible()
  expect(sent()).toEqual([])
  await button('Post Now').click()
  await expect.poll(sent).toHaveLength(1)
})

test('shows that the accounts are loading, and offers a retry when that fails', async () => {
  let refuse = () => {}
  const held = new Promise<void>((resolve) => (refuse = resolve))
  let isDown = true
  const accounts = async () => {
    await held
    if (isDown) throw noConnection()
    return []
  }
  await opened(2, [koi], [], { answers: { social: { accounts } } })
  await expect
    .element(page.getByRole('paragraph').filter({ hasText: socialMessages.wizardLoading }))
    .toBeInTheDocument()
  refuse()
  await expect.element(page.getByRole('alert').getByText(socialMessages.wizardLoadFailed)).toBeVisible()
  isDown = false
  await button('Try again').click()
  await expect.element(page.getByText(socialMessages.wizardNoneConnected)).toBeVisible()
})

test('no page moves when the remaining allowance becomes known', async () => {
  const known = Promise.withResolvers<void>()
  const instagram = connectedAccount(4, 'instagram', ['Black Quill'])
  const allowances = async () => {
    await known.promise
    const { _id: socialAccountId, pages } = instagram
    const at = [{ time: '2039-11-16T14:30:00.000Z', left: 99, freesAt: null }]
    return pages.map(({ pageId }) => ({ socialAccountId, pageId, limit: 100, shared: false, sentence: '', at }))
  }
  await opened(2, [koi], [instagram, facebook], { answers: { posts: { allowances } } })
  const row = page.getByRole('group', { name: 'Instagram' })
  await expect.element(row.getByRole('checkbox')).toBeVisible()
  const height = () => row.element().getBoundingClientRect().height
  const before = height()
  known.resolve()
  await expect.element(row.getByText('99 posts left today')).toBeVisible()
  expect(height()).toBe(before)
})

test('pictures disable TikTok and YouTube, with the reason', async () => {
  await opened(2, [koi], [facebook, tiktok, youtube])
  await expect.element(heading('Select Social Accounts')).toBeVisible()
  await expect.poll(() => page.getByText(socialMessages.videoOnly).elements()).toHaveLength(2)
  await expect.element(page.getByRole('group', { name: 'TikTok' }).getByRole('checkbox')).toBeDisabled()
  await expect.element(page.getByRole('group', { name: 'YouTube' }).getByRole('checkbox')).toBeDisabled()
  await expect.element(next).toBeDisabled()
})

test('TikTok gets only what the artist chose; only YouTube has its own title', async () => {
  const { sent } = await opened(3, [reel], [facebook, tiktok, youtube])
  await expect.element(page.getByText(/^Posting as/)).toBeVisible()
  const [titles, captions] = ['Title', 'Caption'].map((name) => page.getByRole('textbox', { name }))
  if (!titles || !captions) expect.fail()
  await titles.fill('Koi')
  await captions.fill('Upstream #koi')
  await page.getByText('Individual', { exact: true }).click()
  await expect.poll(() => titles.elements()).toHaveLength(1)
  expect(captions.elements().map((field) => (field as HTMLTextAreaElement).value)).toEqual(
    Array(4).fill('Upstream #koi'),
  )
  await captions.nth(0).fill('Only here')

  await expect.element(next).toBeDisabled()
  for (const name of ['Comment', 'Duet', 'Stitch']) await expect.element(box(name)).not.toBeChecked()
  // The reason is a link to its field.
  const focused = () => document.activeElement?.textContent
  await button(postMessages.privacyRequired).click()
  await expect.poll(focused).toContain('Choose who can see it')
  await page.getByText('Disclose commercial content').click()
  await expect.element(page.getByText(/^You need to indicate/).first()).toBeVisible()
  const branded = page.getByText('Branded content', { exact: true })
  await branded.click()
  await expect.element(page.getByText('Your video will be labeled "Paid partnership"')).toBeVisible()
  await expect.element(page.getByText('Branded Content Policy')).toBeVisible()
  await button(/Choose who can see it/).click()
  await expect.element(page.getByRole('option', { name: /Only me/ })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('option', { name: 'Everyone' }).click()
  await branded.click()
  await button(/^You need to indicate/).click()
  await expect.poll(() => document.activeElement?.closest('label')?.textContent).toMatch(/Your brand/)
  await branded.click()
  await next.click()
  await expect.element(heading('Ready to Post')).toBeVisible()

  // A choice that TikTok no longer offers is reported at the last step, with a link.
  store.update((draft) => ({
    ...draft,
    tiktok: Object.fromEntries(
      Object.entries(draft.tiktok).map(([key, choice]) => [key, { ...choice, privacyLevel: null }]),
    ),
  }))
  await expect.element(page.getByText(postMessages.privacyRequired)).toBeVisible()
  await button('Go to step 3').click()
  await expect.poll(focused).toContain('Choose who can see it')
  const field = document.activeElement as HTMLElement
  await expect.poll(() => field.getBoundingClientRect().top).toBeGreaterThan(0)
  await expect.poll(() => field.getBoundingClientRect().bottom).toBeLessThan(window.innerHeight)
  await userEvent.click(field)
  await page.getByRole('option', { name: 'Everyone' }).click()
  await next.click()
  await button('Post Now').click()
  await expect.poll(() => sent().length).toBe(1)
  expect(sent()).toMatchObject([
    {
      mediaIds: [reel._id],
      variants: [
        { pageId: 'Black Quill', message: 'Only here' },
        { pageId: 'Quill Prints', message: 'Upstream #koi' },
        {
          platform: 'tiktok',
          message: 'Upstream #koi',
          options: {
            tiktok: {
              privacyLevel: 'PUBLIC_TO_EVERYONE',
              allowComment: false,
              allowDuet: false,
              allowStitch: false,
              yourBrand: false,
              brandedContent: true,
            },
          },
        },
        { platform: 'youtube', title: 'Koi', message: 'Upstream #koi' },
      ],
    },
  ])
})

const words = (draft: Draft): Draft => ({ ...draft, global: { title: '', caption: 'Later' } })

test('each chosen time is one post; both time zones are shown', async () => {
  const [first, second, third] = [1, 2, 3].map((day) => new Date(2039, 0, day, 9, 30).toISOString()) as [
    string,
    string,
    string,
  ]
  const { sent } = await opened(4, [koi], [facebook], {
    change: (draft) => ({ ...words(draft), scheduledAt: [second, third] }),
  })
  await button('Schedule').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('spinbutton', { name: /month/ }).click()
  await userEvent.keyboard('0101390930a')
  await dialog.getByRole('button', { name: 'Add Schedule' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await button(/^Remove 1\/2\/2039/).click()
  await expect
    .element(page.getByText(`${formatScheduled(first, studioZone)} at your studio, ${zoneLabel(studioZone)}`))
    .toBeVisible()
  await expect.element(page.getByText(/^1\/1\/2039, 9:30 AM/)).toBeVisible()
  await button('Schedule Post').click()
  await expect.element(page.getByText(postMessages.scheduled).first()).toBeVisible()
  expect(sent()).toMatchObject([{ scheduledAt: first }, { scheduledAt: third }])
})

test('a time chosen by one press is shown until the post is scheduled', async () => {
  const { sent } = await opened(4, [koi], [facebook], { change: words })
  await button('Schedule').click()
  await button('Tomorrow 10 AM').click()
  await button('Add Schedule').click()
  await expect.element(page.getByText(/^It goes out \w+day, \w+ \d+(, \d{4})? at 10:00 AM\.$/)).toBeVisible()
  await button('Schedule Post').click()
  await expect.element(page.getByText(postMessages.scheduled).first()).toBeVisible()
  await expect.element(page.getByText(/^\w+day, \w+ \d+(, \d{4})? at 10:00 AM$/)).toBeVisible()
  const [{ scheduledAt }] = sent() as [{ scheduledAt: string }]
  expect([new Date(scheduledAt).getHours(), new Date(scheduledAt).getMinutes()]).toEqual([10, 0])
})

test('a touch device gets its native picker', async () => {
  await cdp().send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 })
  try {
    await opened(4, [koi], [facebook], { change: words })
    await button('Schedule').click()
    const field = page.getByLabelText('Date and time')
    await expect.element(field).toHaveAttribute('type', 'datetime-local')
    expect(field.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
    await field.fill('2039-01-01T09:30')
    await button('Add Schedule').click()
    await expect.element(page.getByText(/^1\/1\/2039, 9:30 AM/)).toBeVisible()
  } finally {
    await cdp().send('Emulation.setTouchEmulationEnabled', { enabled: false })
  }
})

test('a post that is saved for later becomes a draft, and the composer is empty again', async () => {
  const create = ({ title = '', mediaIds = [], variants = [] }: RouterInputs['drafts']['create']): StoredDraft => ({
    _id: '019a0000-0000-7000-8000-000000000050',
    version: 1,
    title,
    mediaIds,
    variants: variants as StoredDraft['variants'],
    scheduledAt: null,
    createdAt: koi.createdAt,
    updatedAt: koi.createdAt,
  })
  const { calls, router } = await opened(4, [koi], [facebook], {
    change: words,
    answers: { drafts: { create } },
  })
  await button('Save draft').click()
  await expect.element(page.getByText(draftMessages.saved)).toBeVisible()
  expect(calls.filter(({ path }) => path === 'drafts.create').map(({ input }) => input)).toMatchObject([
    { mediaIds: [koi._id], variants: [{ message: 'Later' }, { message: 'Later' }] },
  ])
  await expect.poll(() => router.state.location.pathname).toBe('/drafts')
  await router.navigate({ to: '/new-post' })
  await expect.element(heading('Select Media')).toBeVisible()
  await expect.element(button('Save draft')).not.toBeInTheDocument()
})

test('a post that was ticked for the website before the plan lost it can be unticked and sent', async () => {
  const { sent } = await opened(4, [koi], [facebook], { change: (draft) => ({ ...words(draft), toGallery: true }) })
  await expect.element(page.getByText(/^Your plan has no website/)).toBeVisible()
  await page.getByText('Also add to my website').click()
  await expect.element(page.getByText(/^Your plan has no website/)).not.toBeInTheDocument()
  await button('Post Now').click()
  await expect.poll(sent).toMatchObject([{ mediaIds: [koi._id] }])
  expect(sent()[0]).not.toHaveProperty('toGallery')
})

test('media and pages that are gone are left out once the server has refused them, and what is left can be read', async () => {
  const items = [koi, { ...koi, _id: '019a0000-0000-7000-8000-000000000012' }]
  const accounts = [facebook, connectedAccount(4, 'linkedin', ['Quill Flash'])]
  const create = (): never => {
    throw refusal(400, { message: postMessages.mediaUnknown, code: 'invalid' })
  }
  let isUnreadable = true
  const { sent } = await opened(4, items, accounts, {
    change: words,
    answers: {
      posts: { create },
      drafts: { create },
      social: { accounts: () => (isUnreadable && items.length === 1 ? create() : accounts) },
    },
  })
  await expect.element(page.getByText('Quill Flash').first()).toBeVisible()
  // Deleted and disconnected on another device.
  items.pop()
  accounts.pop()
  await button('Save draft').click()
  await expect.element(page.getByText(postMessages.mediaUnknown)).toBeVisible()
  await expect.element(page.getByText(leftOutText)).not.toBeInTheDocument()
  expect(store.get().media).toHaveLength(2)
  isUnreadable = false
  scrollToEnd()
  await button('Post Now').click()
  await expect.element(page.getByRole('alert').getByText(leftOutText)).toBeInViewport()
  await expect.element(page.getByText('Quill Flash')).not.toBeInTheDocument()
  await button('Post Now').click()
  await expect.poll(sent).toMatchObject([{}, { mediaIds: [koi._id], variants: [{}, {}] }])
})

test('a post takes the next free time of the queue', async () => {
  const at = new Date(2039, 10, 16, 9, 30).toISOString()
  const { sent } = await opened(4, [koi], [facebook], {
    change: words,
    answers: { posts: { slotFor: () => ({ hasSlots: true, paused: false, at }) } },
  })
  const atStudio = `${formatScheduled(at, studioZone)} at your studio, ${zoneLabel(studioZone)}`
  await expect
    .poll(() => page.getByText(/^The next free time of your queue/).query()?.textContent)
    .toBe(`The next free time of your queue is Wednesday, Nov 16, 2039 at 9:30 AM (${atStudio}).`)
  await button('Add to queue').click()
  await expect.element(heading('Scheduled')).toBeVisible()
  expect(sent()).toMatchObject([{ scheduledAt: nextSlot, mediaIds: [koi._id] }])
})
