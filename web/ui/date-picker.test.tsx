import { useState } from 'react'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { DatePicker } from './date-picker.tsx'

function Field() {
  const [day, setDay] = useState<string | null>('2026-03-05')
  return (
    <>
      <DatePicker label="Day" value={day} onChange={setDay} />
      <output>{day}</output>
      <button>Save</button>
    </>
  )
}

test('two typed digits are a year of this century once the field is left; four are taken as they are', async () => {
  const screen = await render(<Field />)
  const year = screen.getByRole('spinbutton', { name: /year/ })
  const day = screen.getByRole('status')
  await year.click()
  await userEvent.keyboard('27')
  await expect.element(day).toHaveTextContent('0027-03-05')
  await screen.getByRole('button', { name: 'Save' }).click()
  await expect.element(day).toHaveTextContent('2027-03-05')

  await year.click()
  await userEvent.keyboard('2031')
  await screen.getByRole('button', { name: 'Save' }).click()
  await expect.element(day).toHaveTextContent('2031-03-05')
})

test('the month of a year that was typed in two digits opens in this century', async () => {
  const screen = await render(<Field />)
  await screen.getByRole('spinbutton', { name: /year/ }).click()
  await userEvent.keyboard('27')
  await screen.getByRole('button', { name: /Calendar/ }).click()
  await expect.element(screen.getByRole('heading', { name: 'March 2027' })).toBeVisible()
})
