import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { ErrorBody } from '@flashsheet/contracts/errors/schema'
import type { MediaInUse, MediaItem } from '@flashsheet/contracts/media/schema'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { MediaUse } from '@flashsheet/contracts/posts/schema'
import { galleryMessages } from '@flashsheet/contracts/website/messages'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { newUuid } from '../../lib/uuid.ts'
import { ada, koi, lineWork, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { PostMedia } from '../posts/parts/post-media.tsx'
import type { LibraryShow } from './library-filter.ts'
import { MediaScreen, type MediaTab } from './media-screen.tsx'
import { enlargeFont } from '../../ui/large-font-fixture.ts'

/** Pictures with these names, newest first. */
const pictures = (...names: string[]): MediaItem[] =>
  names.map((name) => ({ ...koi, _id: name, name, fileName: `${name}.jpg` }))

/** The screen with the tab and the filter of its URL. */
function Screen() {
  const [tab, setTab] = useState<MediaTab>('all')
  const [show, setShow] = useState<LibraryShow>('all')
  return (
    <MediaScreen
      tab={tab}
      onTab={setTab}
      show={show}
      onShow={setShow}
      primaryAction={(items) => <PostMedia items={items} />}
    />
  )
}

/** The screen with a server that has this library. `inUse`: posts that keep some items from being deleted. */
async function opened(
  library: MediaItem[],
  { uses = [], inUse }: { uses?: MediaUse[]; inUse?: MediaInUse & ErrorBody } = {},
) {
  const server = { library, gallery: [] as string[] }
  const refuseUnknown = (ids: readonly string[]) => {
    if (!server.library.some(({ _id }) => ids.includes(_id)))
      throw refusal(404, { message: mediaMessages.gone, code: 'notFound' })
  }
  const { router } = await renderWithAnswers(<Screen />, {
    auth: { me: () => ({ ...ada, _id: newUuid() }) },
    media: {
      list: () => server.library,
      remove: ({ ids }) => {
        if (inUse?.posts.some((post) => post.mediaIds.some((id) => ids.includes(id)))) throw refusal(409, inUse)
        refuseUnknown(ids)
        server.library = server.library.filter(({ _id }) => !ids.includes(_id))
        return { deleted: ids.length }
      },
    },
    posts: { mediaUses: () => uses },
    website: {
      gallery: () => server.gallery.map((_id) => ({ _id, altText: '', isPublic: true, flash: null })),
      addToGallery: ({ ids }) => {
        refuseUnknown(ids)
        server.gallery = [...server.gallery, ...ids]
        return { gallery: server.gallery }
      },
      removeFromGallery: ({ ids }) => {
        server.gallery = server.gallery.filter((id) => !ids.includes(id))
        return { gallery: server.gallery }
      },
    },
    subscription: { mine: () => ({ ...lineWork, plan: 'complete-shading' }) },
  })
  await expect.element(text(mediaMessages.libraryTitle(library.length))).toBeVisible()
  return { server, router }
}

const text = (content: string) => page.getByText(content, { exact: true }).first()
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const tiles = page.getByRole('grid').getByRole('row')
const shown = () => tiles.elements().length
/** Presses the checkbox of a tile. */
const tick = async (at: number) =>
  await userEvent.click(tiles.nth(at).element().querySelector('label') ?? expect.fail('there is no checkbox'))
/** Presses a button that a toast may cover. */
const pressBelowToast = async (name: string | RegExp) => {
  await expect.element(button(name)).toBeVisible()
  ;(button(name).element() as HTMLElement).click()
}
const picker = () => document.querySelector('input[type=file]') ?? expect.fail('there is no picker')
const fileOf = (name: string, type = 'image/jpeg') => new File([name], name, { type })

test('an empty library and an empty gallery say what to do', async () => {
  await opened([])
  await expect.element(text(mediaMessages.emptyTitle)).toBeVisible()
  await expect.element(text(mediaMessages.emptyText)).toBeVisible()
  await page.getByRole('tab', { name: 'Gallery', exact: true }).click()
  await expect.element(text('Gallery (0)')).toBeVisible()
  await expect.element(text(galleryMessages.emptyTitle)).toBeVisible()
  await button('Show all media').click()
  await expect.element(text(mediaMessages.emptyTitle)).toBeVisible()
})

test('media are added to the gallery and removed from it, by keyboard too', async () => {
  const { server } = await opened(pictures('a', 'b', 'c', 'd'))
  ;(tiles.first().element() as HTMLElement).focus()
  await userEvent.keyboard(' {ArrowRight} ')
  await expect.element(button(/2 selected/)).toBeVisible()
  await button('Add to Gallery').click()
  await expect.element(text('2 item(s) added to gallery!')).toBeVisible()
  await expect.element(button('Remove from Gallery')).toBeVisible()
  await pressBelowToast(/Clear selection/)
  await tick(2)
  await pressBelowToast('Add to Gallery')
  await expect.element(text('Added to gallery!')).toBeVisible()
  await page.getByRole('tab', { name: 'Gallery', exact: true }).click()
  await expect.element(text('Gallery (3)')).toBeVisible()
  expect(server.gallery).toEqual(['a', 'b', 'c'])
  await tick(0)
  // While something is selected, a press on a picture selects it too.
  await tiles.nth(2).click()
  await pressBelowToast('Remove from Gallery')
  await expect.element(text('2 item(s) removed from gallery!')).toBeVisible()
  await expect.element(text('Gallery (1)')).toBeVisible()
  expect(server.gallery).toEqual(['b'])
  expect(server.library).toHaveLength(4)
})

test('media that another device has deleted count as deleted, and disappear', async () => {
  const { server } = await opened(pictures('Koi', 'Rose'))
  await tick(0)
  server.library = pictures('Rose')
  await button('Delete').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.element(text(mediaMessages.deleted(1))).toBeVisible()
  await expect.poll(shown).toBe(1)
})

test('media that another device has deleted are not added to the gallery, and disappear', async () => {
  const { server } = await opened(pictures('Koi', 'Rose'))
  await tick(0)
  server.library = pictures('Rose')
  await button('Add to Gallery').click()
  await expect.element(text(mediaMessages.gone)).toBeVisible()
  await expect.poll(shown).toBe(1)
})

test('media of a scheduled post are not deleted, the post is named, and the others can be deleted', async () => {
  const [used, ...others] = [newUuid(), newUuid(), newUuid()]
  const { server } = await opened(pictures(used, ...others), {
    inUse: {
      message: mediaMessages.inUse,
      code: 'conflict',
      posts: [
        {
          _id: newUuid(),
          status: 'scheduled',
          title: 'Snake and dagger',
          scheduledAt: '2099-01-01T09:30:00.000Z',
          mediaIds: [used],
        },
      ],
    },
  })
  await button('Select all').click()
  await button('Delete').click()
  const ask = page.getByRole('alertdialog', { name: 'Delete 3 items?' })
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(ask).not.toBeInTheDocument()
  await button('Delete').click()
  await ask.getByRole('button', { name: 'Delete' }).click()
  const inUse = page.getByRole('dialog', { name: 'Still needed' })
  await expect.element(inUse.getByText('Snake and dagger')).toBeVisible()
  await expect.element(inUse.getByText(mediaMessages.inUse)).toBeVisible()
  await expect.element(inUse.getByText(/^1\/1\/2099, \d+:\d\d [AP]M$/)).toBeVisible()
  expect(server.library).toHaveLength(3)
  await inUse.getByRole('button', { name: 'Delete the other 2' }).click()
  await page.getByRole('alertdialog', { name: 'Delete 2 items?' }).getByRole('button', { name: 'Delete' }).click()
  await expect.element(text('2 item(s) successfully deleted.')).toBeVisible()
  await expect.element(text('Your Media Library (1/100)')).toBeVisible()
  expect(server.library.map(({ _id }) => _id)).toEqual([used])
})

test('an impossible selection for a post is explained', async () => {
  const { router } = await opened(pictures(...Array.from({ length: 11 }, (_, at) => `p${at}`)))
  await button('Select all').click()
  await button('Post these').click()
  await expect.element(text(postMessages.tooManyImages)).toBeVisible()
  expect(router.state.location.pathname).toBe('/')
})

test('an almost full library takes only as many files as fit', async () => {
  await opened(pictures(...Array.from({ length: 99 }, (_, at) => `p${at}`)))
  await userEvent.upload(picker(), [fileOf('last.jpg'), fileOf('toomuch.jpg')])
  await expect.element(page.getByRole('alert').getByText(mediaMessages.roomFor(1))).toBeVisible()
  await expect.element(button('Upload All')).toBeEnabled()
  expect(page.getByRole('list', { name: 'Files to Upload' }).getByRole('listitem').elements()).toHaveLength(1)
  await button('Remove last.jpg').click()
  await expect.element(button('Remove last.jpg')).not.toBeInTheDocument()
})

test('a full library says so and takes no files', async () => {
  await opened(pictures(...Array.from({ length: 100 }, (_, at) => `p${at}`)))
  await expect.element(text(mediaMessages.libraryFull)).toBeVisible()
  await expect.element(button('Choose files')).toBeDisabled()
})

test('of picked files a refused one is named, those after it can be added with one press, and each can be removed', async () => {
  await opened([])
  const list = page.getByRole('list', { name: 'Files to Upload' })
  await userEvent.upload(picker(), [fileOf('a.jpg'), fileOf('b.gif', 'image/gif'), fileOf('c.jpg')])
  const alert = page.getByRole('alert')
  await expect.element(alert.getByText(mediaMessages.imageType)).toBeVisible()
  await expect.element(alert.getByText('b.gif was not added, nor was c.jpg after it.')).toBeVisible()
  await expect.poll(() => list.getByRole('listitem').elements().length).toBe(1)
  await button('Add the other one').click()
  await expect.poll(() => list.getByRole('listitem').elements().length).toBe(2)
  await expect.element(alert).not.toBeInTheDocument()
  await button('Remove c.jpg').click()
  await expect.poll(() => list.getByRole('listitem').elements().length).toBe(1)
  await button('Remove a.jpg').click()
  await expect.element(list).not.toBeInTheDocument()
})

test('the library is searched by name, and filtered by type and by not yet posted', async () => {
  const video: MediaItem = {
    ...koi,
    _id: 'v',
    type: 'video',
    name: 'Snake reel',
    fileName: 'Snake reel.mp4',
    duration: 5,
  }
  await opened([video, ...pictures('b', 'used')], {
    uses: [{ mediaId: 'used', count: 1, isPlanned: true, latest: [] }],
  })
  await expect.poll(shown).toBe(3)
  const search = page.getByRole('searchbox', { name: 'Search your media' })
  await search.fill('SNAKE')
  await expect.poll(shown).toBe(1)
  await expect.element(tiles.getByText('0:05')).toBeVisible()
  // Filtered-out items are not selected.
  await button('Select all').click()
  await expect.element(button(/1 selected/)).toBeVisible()
  await search.fill('nothing like that')
  await expect.element(text(mediaMessages.noMatchTitle)).toBeVisible()
  await expect.element(button(/selected/)).not.toBeInTheDocument()
  await button('Show all media').click()
  await expect.poll(shown).toBe(3)

  const show = async (before: RegExp, name: string) => {
    await button(before).click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  await show(/^Everything/, 'Photos')
  await expect.poll(shown).toBe(2)
  await show(/^Photos/, 'Not posted yet')
  await expect.element(tiles.getByText('0:05')).toBeVisible()
  await expect.poll(shown).toBe(2)
})

test('with a large font on a phone the search has its own row', async () => {
  await page.viewport(319, 844)
  enlargeFont()
  await opened(pictures('koi'))
  const search = page.getByRole('searchbox')
  await expect.element(search).toBeVisible()
  expect(search.element().clientWidth).toBeGreaterThan(200)
})
