import { CalendarDate } from '@internationalized/date'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { enlargeFont } from '../../ui/large-font-fixture.ts'
import { CalendarToolbar } from './calendar-toolbar.tsx'

test('at twice the font size on a phone, the period is not broken within a word and every view can be seen', async () => {
  await page.viewport(390, 844)
  enlargeFont()
  await render(
    <div style={{ padding: 16 }}>
      <CalendarToolbar
        view="month"
        day={new CalendarDate(2039, 11, 15)}
        phone
        timeZone={undefined}
        onPosition={() => {}}
        onPrefetch={() => {}}
      />
    </div>,
  )
  const words = document.createRange()
  words.selectNodeContents(page.getByRole('heading', { name: 'November 2039' }).element())
  expect(words.getClientRects().length).toBeLessThanOrEqual(2)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(document.documentElement.clientWidth)
})
