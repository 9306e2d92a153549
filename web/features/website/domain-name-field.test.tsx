import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { noConnection, renderWithAnswers } from '../../test-fixture.tsx'
import { DomainNameField } from './domain-name-field.tsx'

test('says that a name could not be checked, instead of checking forever', async () => {
  await renderWithAnswers(<DomainNameField value="ada-ink" saved="" error={undefined} onChange={() => {}} />, {
    website: {
      checkDomainName: () => {
        throw noConnection()
      },
    },
  })
  await expect.element(page.getByText('It could not be checked. Saving checks it again.')).toBeVisible()
  await expect.element(page.getByText('Checking…')).not.toBeInTheDocument()
})
