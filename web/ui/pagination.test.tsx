import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
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

// The page's padding leaves 328 px of 360, and 358 px of 390.
test.each([
  [328, 500, 1000, 44],
  [358, 2, 10, 44],
  [358, 5, 10, 35],
  [328, 5, 10, 32],
])(
  'in %i px, on page %i of %i all numbers are in one row, and at least %i px wide',
  async (room, current, pages, least) => {
    await page.viewport(390, 844)
    const screen = await render(
      <div style={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', width: room }}>
        <Pagination current={current} pages={pages} onChange={() => {}} />
      </div>,
    )
    const boxes = [...screen.container.querySelectorAll('button')]
      .map((button) => button.getBoundingClientRect())
      .filter((box) => box.width > 0)
    expect(new Set(boxes.map((box) => box.top)).size).toBe(1)
    expect(Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left))).toBeLessThanOrEqual(
      room,
    )
    expect(Math.min(...boxes.map((box) => box.width))).toBeGreaterThanOrEqual(least)
  },
)
