import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { TextField } from './text-field.tsx'
import { useForm } from './use-form.ts'

function Code() {
  const form = useForm({ code: '' }, () => ({ code: 'This code is wrong.' }))
  return (
    <form onSubmit={form.submit(() => {})}>
      <TextField label="Code" {...form.field('code')} />
    </form>
  )
}

test('an invalid field that already has the focus gets it again, so that screen readers read its error', async () => {
  const screen = await render(<Code />)
  const field = screen.getByLabelText('Code')
  await field.fill('123456')
  const errors: (string | null)[] = []
  const element = field.element()
  element.addEventListener('focus', () => errors.push(element.getAttribute('aria-invalid')))
  await userEvent.keyboard('{Enter}')
  await expect.element(screen.getByText('This code is wrong.')).toBeVisible()
  await expect.element(field).toHaveFocus()
  expect(errors).toEqual(['true'])
})
