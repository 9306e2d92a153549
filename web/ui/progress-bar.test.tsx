import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ProgressBar } from './progress-bar.tsx'
import { enlargeFont } from './large-font-fixture.ts'

test('with a large font on a phone the label is not cut off beside the value', async () => {
  await page.viewport(319, 844)
  enlargeFont()
  await render(<ProgressBar label="Billing cycle" value={0} valueLabel="30 days left · 0%" />)
  const label = page.getByText('Billing cycle').element()
  expect(label.scrollWidth).toBeLessThanOrEqual(label.clientWidth)
})
