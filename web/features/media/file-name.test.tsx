import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { FileName } from './file-name.tsx'

test('a name that is read from right to left begins on the right, and is truncated in the middle', async () => {
  const { container } = await render(<FileName name="סקיצה ראשונה של פרפר גדול על הכתף 12.jpg" />)
  const [start, end] = [...container.querySelectorAll('span > span')].map((part) => part.getBoundingClientRect())
  expect(start!.left).toBeGreaterThanOrEqual(end!.right)
})
