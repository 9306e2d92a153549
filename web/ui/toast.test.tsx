import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { toast } from './toast.tsx'

test('is in the upper half of a phone, and closes when its action is pressed', async () => {
  const undo = vi.fn<() => void>()
  toast.success('Post moved', 'To Tuesday at 6 PM', { label: 'Undo', onPress: undo })
  const region = page.getByRole('region', { name: /Messages/ })
  await expect.element(region.getByText('To Tuesday at 6 PM')).toBeVisible()
  const box = region.element().getBoundingClientRect()
  expect(box.bottom).toBeLessThan(innerHeight / 2)
  await region.getByRole('button', { name: 'Undo' }).click()
  expect(undo).toHaveBeenCalledOnce()
  await expect.element(page.getByText('Post moved')).not.toBeInTheDocument()
})

test.each([
  { label: 'Undo', place: 'beside' },
  { label: 'Open Website Builder', place: 'below' },
])('on a phone the button “$label” is $place the text, which is not squeezed', async ({ label, place }) => {
  await page.viewport(390, 844)
  toast.warning('Your changes were not saved.', 'They are kept in the Website Builder.', { label, onPress: () => {} })
  const button = page.getByRole('button', { name: label })
  await expect.element(button).toBeVisible()
  const text = page.getByText('Your changes were not saved.').element().getBoundingClientRect()
  const { top, bottom } = button.element().getBoundingClientRect()
  expect(top >= text.bottom ? 'below' : bottom > text.top ? 'beside' : 'above').toBe(place)
  expect(text.width).toBeGreaterThan(150)
  await button.click()
})

test('replaces an earlier toast about the same, and no other', async () => {
  toast.about('queue').success('The queue is paused.')
  toast.about('plan').success('You are on another plan.')
  await expect.element(page.getByText('You are on another plan.')).toBeVisible()
  await expect.element(page.getByText('The queue is paused.')).toBeVisible()
  toast.about('queue').success('The queue is running again.')
  await expect.element(page.getByText('The queue is running again.')).toBeVisible()
  expect(page.getByText('The queue is paused.').elements()).toEqual([])
  await expect.element(page.getByText('You are on another plan.')).toBeVisible()
})

test('shows three at a time, and the next when one is closed', async () => {
  for (const text of ['one', 'two', 'three', 'four']) toast.error(text)
  await expect.element(page.getByText('three')).toBeVisible()
  const shown = () => page.getByRole('alertdialog').elements().length
  await expect.poll(shown).toBe(3)
  for (let left = 4; left > 0; left -= 1) {
    await page.getByRole('button', { name: 'Close' }).first().click()
    await expect.poll(shown).toBe(Math.min(3, left - 1))
  }
})
