import { ListOrdered } from 'lucide-react'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { brokenWords } from '../../../test-fixture.tsx'
import { Button } from '../../../ui/button.tsx'
import { BackButton, StepNavigationBar } from './step-bar.tsx'
import { StepHeading } from './step-heading.tsx'

test.each([
  ['Back', <BackButton key="back" onPress={() => {}} />],
  [
    '1 picked',
    <Button key="picked" icon={<ListOrdered />}>
      1 picked
    </Button>,
  ],
])(
  'on a phone with a font twice as large no word of the heading and of the buttons %s and Next is broken',
  async (name, back) => {
    // In em, 390 px with a font of 32 px.
    await page.viewport(195, 422)
    const { container } = await render(
      <main style={{ padding: 16 }}>
        <StepHeading title="Select Social Accounts" focused={false} aside={<Button>Save draft</Button>}>
          Where should it appear?
        </StepHeading>
        <StepNavigationBar back={back} onNext={() => {}} disabledReason="Please pick at least one page." />
      </main>,
    )
    await expect.element(page.getByRole('button', { name })).toBeVisible()
    expect(brokenWords(container)).toEqual([])
  },
)
