import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { SchemaFields } from './schema-fields.tsx'

test('a number is shown with its range and its step', async () => {
  const document = { paths: {}, webhooks: {}, components: { schemas: {} } }
  const schema = { properties: { bufferMinutes: { type: 'integer', minimum: 0, maximum: 240, multipleOf: 15 } } }
  const screen = await render(<SchemaFields document={document} schema={schema} label="Body" />)
  await expect.element(screen.getByText('integer, optional, at least 0, at most 240, a multiple of 15')).toBeVisible()
})
