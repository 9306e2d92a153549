import { expect, test } from 'vitest'
import { PostVariantInput, Title } from './posts/schema.ts'
import { Flash, SiteSections } from './website/schema.ts'

const cut = 'koi \ud83d'
const whole = 'koi \ufffd'

test('half of a character in a text that is stored as JSON becomes a replacement character', () => {
  expect(Title.parse(cut)).toBe(whole)
  const page = { platform: 'facebook', socialAccountId: crypto.randomUUID(), pageId: '1' }
  expect(PostVariantInput.parse({ ...page, title: cut, message: cut })).toMatchObject({ title: whole, message: whole })
  expect(Flash.parse({ title: cut, price: cut })).toMatchObject({ title: whole, price: whole })
  expect(
    SiteSections.parse({
      services: [{ name: cut, price: cut, note: cut }],
      questions: [{ question: cut, answer: cut }],
      aftercare: cut,
      guestSpots: [{ place: cut, from: '2026-01-01', to: '2026-01-02' }],
    }),
  ).toMatchObject({
    services: [{ name: whole, price: whole, note: whole }],
    questions: [{ question: whole, answer: whole }],
    aftercare: whole,
    guestSpots: [{ place: whole }],
  })
})
