import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { GuestSpotRows } from './section-rows.tsx'

test('a guest spot ends on the day it begins, also if that day is typed, until another end is chosen', async () => {
  function GuestSpots() {
    const [rows, setRows] = useState([{ place: 'Black Rose, Berlin', from: '', to: '' }])
    return (
      <>
        <GuestSpotRows rows={rows} errors={{}} onChange={setRows} />
        <output>{rows.map(({ from, to }) => `${from} to ${to}`)}</output>
      </>
    )
  }
  await render(<GuestSpots />)
  const days = page.getByRole('status')
  const part = (name: RegExp) => page.getByRole('spinbutton', { name })
  await part(/month.*From/).click()
  await userEvent.keyboard('03052027')
  await expect.element(days).toHaveTextContent('2027-03-05 to 2027-03-05')
  await part(/day.*To/).click()
  await userEvent.keyboard('09')
  await part(/year.*From/).click()
  await userEvent.keyboard('2026')
  await expect.element(days).toHaveTextContent('2026-03-05 to 2027-03-09')
  // While the month is typed, it begins on the day on which it ends.
  await part(/day.*From/).click()
  await userEvent.keyboard('09')
  await part(/year.*From/).click()
  await userEvent.keyboard('2027')
  await part(/day.*From/).click()
  await userEvent.keyboard('04')
  await expect.element(days).toHaveTextContent('2027-03-04 to 2027-03-09')
})
