import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { TextArea } from './text-area.tsx'
import { TextField } from './text-field.tsx'

test('a text has the direction of its script, an address always the one of the page', async () => {
  const props = { value: 'דיו שחור!', onChange: () => {} }
  await render(
    <>
      <TextField label="Name" {...props} />
      <TextArea label="Notes" {...props} />
      <TextField label="Email" type="email" {...props} />
    </>,
  )
  const directionOf = (name: string) => getComputedStyle(page.getByRole('textbox', { name }).element()).direction
  expect(['Name', 'Notes', 'Email'].map(directionOf)).toEqual(['rtl', 'rtl', 'ltr'])
})
