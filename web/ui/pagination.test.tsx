import { expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { Pagination } from './pagination.tsx'

test('renders nothing for a single page', async () => {
  const screen = await render(<Pagination current={1} pages={1} onChange={() => {}} />)
  expect(screen.container.textContent).toBe('')
})

test('goes to the pressed page, and not beyond the last', async () => {
  const onChange = vi.fn<(page: number) => void>()
  const screen = await render(<Pagination current={5} pages={9} onChange={onChange} />)
  await screen.getByRole('button', { name: 'Previous' }).click()
  await screen.getByRole('button', { name: 'Next' }).click()
  await screen.getByRole('button', { name: 'Page 9' }).click()
  expect(onChange.mock.calls).toEqual([[4], [6], [9]])
  await expect.element(screen.getByRole('button', { name: 'Page 5' })).toHaveAttribute('aria-current', 'page')
  await screen.rerender(<Pagination current={9} pages={9} onChange={onChange} />)
  await expect.element(screen.getByRole('button', { name: 'Next' })).toBeDisabled()
})

test('fits a small phone with a thousand pages', async () => {
  const screen = await render(<Pagination current={500} pages={1000} onChange={() => {}} />)
  const [nav] = screen.container.children
  expect(nav?.scrollWidth).toBeLessThanOrEqual(390)
})
