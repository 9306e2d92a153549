import { expect, test } from 'vitest'
import { renderWithAnswers } from '../../test-fixture.tsx'
import { AgeAndTerms } from './age-and-terms.tsx'

// Chromium leaves them out of the name of the checkbox: "agree to theTerms of Service".
test('no space of the declaration is a text node of its own', async () => {
  const screen = await renderWithAnswers(
    <p>
      I am <AgeAndTerms />
    </p>,
    {},
  )
  await expect
    .element(screen.getByRole('paragraph'))
    .toHaveTextContent('I am at least 18 years old and agree to the Terms of Service and the Privacy Policy.')
  const texts = document.createTreeWalker(screen.getByRole('paragraph').element(), NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) expect(texts.currentNode.nodeValue?.trim()).not.toBe('')
})
