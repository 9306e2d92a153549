import { galleryMessages } from '@flashsheet/contracts/website/messages'
import type { GalleryItem } from '@flashsheet/contracts/website/schema'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { koi, noConnection, renderWithAnswers } from '../../test-fixture.tsx'
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
