import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { RouterOutputs } from '../../lib/trpc.ts'
import { renderWithAnswers } from '../../test-fixture.tsx'
import { AddressFields } from './address-fields.tsx'
import type { SiteValues } from './site-draft.ts'

const empty = { shopAddress: '', city: '', state: '', zip: '' } as SiteValues
const places = {
  harbor: { shopAddress: '1 Harbor Street', city: 'Boston', state: 'MA', zip: '02110' },
  mill: { shopAddress: '2 Mill Road', city: 'Salem', state: 'OR', zip: '97301' },
}
type Address = RouterOutputs['website']['findPlace']

/** The fields with a server whose answers about a place are given by the test. */
async function opened() {
  const answers = { harbor: Promise.withResolvers<Address>(), mill: Promise.withResolvers<Address>() }
  const onSubmit = vi.fn<() => void>()
  function Screen() {
    const [values, setValues] = useState(empty)
    return (
      // With a margin, as on its page: a list as wide as the window would scroll it, which closes the list.
      <form
        style={{ margin: '1rem' }}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <AddressFields
          values={values}
          errors={{}}
          onChange={(changes) => setValues((before) => ({ ...before, ...changes }))}
        />
        <button type="submit">Save</button>
      </form>
    )
  }
  const { calls } = await renderWithAnswers(<Screen />, {
    website: {
      suggestPlaces: ({ input }) =>
        (['harbor', 'mill'] as const)
          .filter((placeId) => placeId.startsWith(input))
          .map((placeId) => ({ placeId, text: `${places[placeId].shopAddress}, ${places[placeId].city}` })),
      findPlace: async ({ placeId }) => await answers[placeId as 'harbor'].promise,
    },
  })
  const street = page.getByRole('combobox', { name: 'Shop address' })
  const choose = async (placeId: 'harbor' | 'mill') => {
    // The list opens when the field is entered, once the former list is closed.
    await expect.element(field('City')).toBeVisible()
    field('City').element().focus()
    await street.fill(placeId)
    const option = page.getByRole('option', { name: new RegExp(places[placeId].shopAddress) })
    await expect.element(option).toBeVisible()
    // A press that does not depend on where the mouse was left.
    ;(option.element() as HTMLElement).click()
    await expect
      .poll(() => calls.filter(({ path }) => path === 'website.findPlace').at(-1)?.input)
      .toMatchObject({ placeId })
  }
  return {
    choose,
    street,
    onSubmit,
    fail: (placeId: 'harbor' | 'mill') => answers[placeId].resolve(null),
    answer: (placeId: 'harbor' | 'mill') => answers[placeId].resolve(places[placeId]),
  }
}

const field = (name: string) => page.getByRole('textbox', { name })

test('an address is filled in from a suggestion by keyboard, and Enter does not submit the form', async () => {
  const { street, answer, onSubmit } = await opened()
  await street.click()
  await userEvent.type(street, 'har')
  await expect.element(page.getByRole('option', { name: /1 Harbor Street/ })).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  answer('harbor')
  await expect.element(field('City')).toHaveValue('Boston')
  await expect.element(street).toHaveValue('1 Harbor Street')
  await expect.element(field('State')).toHaveValue('MA')
  await expect.element(field('ZIP')).toHaveValue('02110')
  await userEvent.keyboard('{Enter}')
  // Enter in another field submits.
  expect(onSubmit).not.toHaveBeenCalled()
  await field('City').click()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => onSubmit.mock.calls.length).toBe(1)
})

test('the place that was chosen last is shown, whichever answer arrives last', async () => {
  const { choose, street, answer } = await opened()
  await choose('harbor')
  await choose('mill')
  answer('mill')
  await expect.element(field('City')).toHaveValue('Salem')
  answer('harbor')
  // An answer that is used arrives within this.
  await field('ZIP').fill('97302')
  await expect.element(street).toHaveValue('2 Mill Road')
  await expect.element(field('City')).toHaveValue('Salem')
})

test('an answer about a place fills in the fields that nobody has typed into meanwhile', async () => {
  const { choose, answer } = await opened()
  await choose('harbor')
  await field('City').fill('East Boston')
  answer('harbor')
  await expect.element(field('ZIP')).toHaveValue('02110')
  await expect.element(field('City')).toHaveValue('East Boston')
})

test('the street of a chosen place is shown although its address cannot be loaded', async () => {
  const { choose, street, fail } = await opened()
  await choose('harbor')
  fail('harbor')
  await expect.element(street).toHaveValue('1 Harbor Street')
})
