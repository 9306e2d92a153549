import { galleryMessages } from '@flashsheet/contracts/website/messages'
import type { GalleryItem } from '@flashsheet/contracts/website/schema'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { hitBySecondPress, koi, noConnection, refusal, renderWithAnswers } from '../../test-fixture.tsx'
import { GalleryOrder } from './gallery-order.tsx'

test('a picture is marked as flash, for which a title is required, and unmarked', async () => {
  let marked: GalleryItem['flash'] = null
  const gallery = (): GalleryItem[] => [{ _id: koi._id, altText: '', isPublic: true, flash: marked }]
  await renderWithAnswers(<GalleryOrder />, {
    media: { list: () => [koi] },
    website: {
      gallery,
      setFlash: ({ flash }) => {
        marked = flash && { title: flash.title, price: flash.price ?? '', isTaken: flash.isTaken ?? false }
        return gallery()
      },
    },
  })
  const dialog = page.getByRole('dialog', { name: 'Available flash' })
  const save = dialog.getByRole('button', { name: 'Save' })
  await page.getByRole('button', { name: 'Mark as flash: koi.jpg' }).click()
  await dialog.getByRole('textbox', { name: 'Price' }).fill('$120')
  await save.click()
  await expect.element(dialog.getByText(galleryMessages.flashTitle)).toBeVisible()
  expect(marked).toBeNull()
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Dagger')
  await save.click()
  await page.getByRole('button', { name: 'Flash: Dagger' }).click()
  await dialog.getByText(/^Taken/).click()
  await save.click()
  await page.getByRole('button', { name: 'Flash, taken: Dagger' }).click()
  await expect.poll(() => marked).toEqual({ title: 'Dagger', price: '$120', isTaken: true })
  await dialog.getByRole('button', { name: 'Remove from flash' }).click()
  await expect.poll(() => marked).toBeNull()
  await expect.element(page.getByRole('button', { name: 'Mark as flash: koi.jpg' })).toBeVisible()
})

test('a new price does not undo what another device has marked as taken', async () => {
  let flash = { title: 'Dagger', price: '$120', isTaken: false }
  const gallery = (): GalleryItem[] => [{ _id: koi._id, altText: '', isPublic: true, flash }]
  const { calls } = await renderWithAnswers(<GalleryOrder />, {
    media: { list: () => [koi] },
    website: { gallery, setFlash: () => gallery() },
  })
  const entry = page.getByRole('button', { name: 'Flash: Dagger' })
  await expect.element(entry).toBeVisible()
  flash = { ...flash, isTaken: true }
  await entry.click()
  const dialog = page.getByRole('dialog', { name: 'Available flash' })
  await expect.element(dialog.getByRole('checkbox')).toBeChecked()
  await dialog.getByRole('textbox', { name: 'Price' }).fill('$150')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => calls.find(({ path }) => path === 'website.setFlash')?.input)
    .toEqual({ id: koi._id, flash: { title: 'Dagger', price: '$150', isTaken: true } })
})

test('a picture that another device has removed is not marked as flash, and disappears', async () => {
  let entries: GalleryItem[] = [{ _id: koi._id, altText: '', isPublic: true, flash: null }]
  await renderWithAnswers(<GalleryOrder />, {
    media: { list: () => [koi] },
    website: {
      gallery: () => entries,
      setFlash: () => {
        entries = []
        throw refusal(404, { message: galleryMessages.notInGallery, code: 'notFound' })
      },
    },
  })
  await page.getByRole('button', { name: 'Mark as flash: koi.jpg' }).click()
  const dialog = page.getByRole('dialog', { name: 'Available flash' })
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Dagger')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText(galleryMessages.notInGallery)).toBeVisible()
  await expect.element(page.getByText(galleryMessages.emptyTitle)).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('shows an error if the pictures cannot be loaded, and the gallery after a retry', async () => {
  let isDown = true
  await renderWithAnswers(<GalleryOrder />, {
    media: {
      list: () => {
        if (isDown) throw noConnection()
        return [koi]
      },
    },
    website: { gallery: () => [{ _id: koi._id, altText: '', isPublic: true, flash: null }] },
  })
  await expect.element(page.getByText('Your gallery could not be loaded.')).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('textbox', { name: 'What koi.jpg shows' })).toBeVisible()
})

test('a description that could not be saved stays in its field', async () => {
  let isDown = true
  let altText = ''
  const gallery = (): GalleryItem[] => [{ _id: koi._id, altText, isPublic: true, flash: null }]
  const { calls } = await renderWithAnswers(<GalleryOrder />, {
    media: { list: () => [koi] },
    website: {
      gallery,
      describeGalleryItem: (input) => {
        if (isDown) throw noConnection()
        altText = input.altText
        return gallery()
      },
    },
  })
  const field = page.getByRole('textbox', { name: 'What koi.jpg shows' })
  await field.fill('Two koi on a forearm')
  await userEvent.tab()
  await expect.element(page.getByText('The description could not be saved.')).toBeVisible()
  await expect.element(field).toHaveValue('Two koi on a forearm')
  isDown = false
  await field.click()
  await userEvent.tab()
  await expect.poll(() => altText).toBe('Two koi on a forearm')
  await expect.element(field).toHaveValue('Two koi on a forearm')
  expect(calls.filter(({ path }) => path === 'website.describeGalleryItem')).toHaveLength(2)
})

test('pictures are reordered by button, keyboard and drag', async () => {
  // The grid has three columns.
  await page.viewport(1000, 800)
  const [one, two, three] = ['one', 'two', 'three'] as const
  const media = [one, two, three].map((id) => ({ ...koi, _id: id, fileName: `${id}.jpg`, name: id }))
  let order: string[] = [one, two, three]
  const gallery = (): GalleryItem[] => order.map((_id) => ({ _id, altText: '', isPublic: true, flash: null }))
  await renderWithAnswers(<GalleryOrder />, {
    media: { list: () => media },
    website: {
      gallery,
      reorderGallery: ({ ids }) => {
        order = ids
        return { gallery: ids }
      },
    },
  })
  const rows = page.getByRole('grid').getByRole('row')
  const last = (name: string) => rows.nth(2).getByRole('textbox', { name: `What ${name}.jpg shows` })
  await rows.nth(2).getByRole('button', { name: 'Earlier' }).click()
  await expect.poll(() => order).toEqual([one, three, two])
  await expect.element(last('two')).toBeVisible()
  await expect.element(page.getByRole('status')).toHaveTextContent('three.jpg is now 2 of 3')
  // Moves the first picture to the end.
  ;(rows.nth(0).getByRole('button', { name: 'Move' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  // The next key moves the picture only when a drop indicator has the focus, one frame later.
  await expect.poll(() => document.activeElement?.getAttribute('aria-roledescription')).toBe('drop indicator')
  await userEvent.keyboard('{End}')
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Drop on two.jpg')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => order).toEqual([three, two, one])
  await expect.element(last('one')).toBeVisible()
  await rows.nth(2).dropTo(rows.nth(0))
  await expect.poll(() => order).toEqual([one, three, two])
})

test('quick moves are saved one after the other, so that the last order is the one that stays', async () => {
  const names = ['one', 'two', 'three']
  const media = names.map((id) => ({ ...koi, _id: id, fileName: `${id}.jpg`, name: id }))
  let order = names
  const answers: PromiseWithResolvers<void>[] = []
  const { calls } = await renderWithAnswers(<GalleryOrder />, {
    media: { list: () => media },
    website: {
      gallery: () => order.map((_id) => ({ _id, altText: '', isPublic: true, flash: null })),
      reorderGallery: async ({ ids }) => {
        const answer = Promise.withResolvers<void>()
        answers.push(answer)
        await answer.promise
        order = ids
        return { gallery: ids }
      },
    },
  })
  const rows = page.getByRole('grid').getByRole('row')
  const shownAt = (at: number, name: string) => rows.nth(at).getByRole('textbox', { name: `What ${name}.jpg shows` })
  const loads = () => calls.filter(({ path }) => path === 'website.gallery').length
  await rows.nth(2).getByRole('button', { name: 'Earlier' }).click()
  await expect.element(shownAt(1, 'three')).toBeVisible()
  await rows.nth(1).getByRole('button', { name: 'Earlier' }).click()
  await expect.element(shownAt(0, 'three')).toBeVisible()
  expect(answers).toHaveLength(1)
  answers[0]?.resolve()
  await expect.poll(() => answers.length).toBe(2)
  await expect.element(shownAt(0, 'three')).toBeVisible()
  expect(loads()).toBe(1)
  answers[1]?.resolve()
  await expect.poll(loads).toBe(2)
  await expect.element(shownAt(0, 'three')).toBeVisible()
  expect(order).toEqual(['three', 'one', 'two'])
})

test('a double click on the button that removes a picture removes one', async () => {
  const pictures = [1, 2, 3].map((number) => ({ ...koi, _id: `019a0000-0000-7000-8000-00000000005${number}` }))
  let gallery: GalleryItem[] = pictures.map(({ _id }) => ({ _id, altText: '', isPublic: true, flash: null }))
  await renderWithAnswers(<GalleryOrder />, {
    media: { list: () => pictures },
    website: {
      gallery: () => gallery,
      removeFromGallery: ({ ids }) => {
        gallery = gallery.filter(({ _id }) => !ids.includes(_id))
        return { gallery: gallery.map(({ _id }) => _id) }
      },
    },
  })
  const buttons = page.getByRole('button', { name: 'Remove from the gallery' })
  await expect.poll(() => buttons.elements()).toHaveLength(3)
  expect(await hitBySecondPress(buttons)).toBeNull()
})
