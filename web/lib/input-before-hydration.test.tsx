import { afterEach, expect, test } from 'vitest'
import { restoreInputAfterHydration, saveInputBeforeHydration } from './input-before-hydration.ts'

const root = document.createElement('div')
afterEach(() => root.remove())

/** A field into which `typed` came before hydration, and the field's value afterwards if `during` came during hydration. */
function hydrated(typed: string, during: (field: HTMLInputElement) => void, made = ''): string {
  const field = document.createElement('input')
  field.defaultValue = made
  field.value = typed
  root.replaceChildren(field)
  document.body.append(root)
  saveInputBeforeHydration(root)
  expect(field.value).toBe(made)
  during(field)
  restoreInputAfterHydration()
  return field.value
}

const type = (more: string) => (field: HTMLInputElement) => {
  field.value += more
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: more }))
}
/** Password managers send a plain event, browsers one of this type. */
const fill = (whole: string, event: Event) => (field: HTMLInputElement) => {
  field.value = whole
  field.dispatchEvent(event)
}
const filledIn = [
  { by: 'a password manager', event: () => new Event('input', { bubbles: true }) },
  { by: 'a browser', event: () => new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }) },
]

test('text before hydration stays, and text that is typed during it is appended', () => {
  expect(hydrated('ada@', () => {})).toBe('ada@')
  expect(hydrated('ada@', type('ink.example'))).toBe('ada@ink.example')
  expect(hydrated('a', type('ab'))).toBe('aab')
})

test.each(filledIn)('a value that is filled in by $by during hydration replaces what came before', ({ event }) => {
  const whole = 'ada@ink.example'
  expect(hydrated('ada@', fill(whole, event()))).toBe(whole)
  expect(hydrated(whole, fill(whole, event()))).toBe(whole)
  expect(hydrated('Ada I.', fill('Ada Inkwell', event()), 'Ada')).toBe('Ada Inkwell')
  const fillThenType = (field: HTMLInputElement) => {
    fill('ada@ink', event())(field)
    type('.example')(field)
  }
  expect(hydrated('ada@', fillThenType)).toBe(whole)
})

test('a value that is filled in during hydration without an event replaces what came before', () => {
  const setOnly = (field: HTMLInputElement) => {
    field.value = 'ada@ink.example'
  }
  expect(hydrated('ada@', setOnly)).toBe('ada@ink.example')
})
