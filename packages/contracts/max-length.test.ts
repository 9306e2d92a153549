import { expect, test } from 'vitest'
import { ContactInput } from './appointments/schema.ts'
import { Name } from './auth/schema.ts'
import { PostVariantInput, Title } from './posts/schema.ts'
import { Flash, SaveSite, SiteSections } from './website/schema.ts'

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

test('a name has one line, so that it cannot look like a paragraph of the mails in which it appears', () => {
  const typed = ' Ada\r\n\r\nYour account is locked.\u2028Call us\u0007\n'
  const line = 'Ada Your account is locked. Call us'
  expect(Name.parse(typed)).toBe(line)
  expect(Name.safeParse('\r\n\u0007').success).toBe(false)
  expect(ContactInput.parse({ name: typed, phone: '555 0100' })).toMatchObject({ name: line })
  const personalInfo = { name: typed, shopName: typed, domainName: 'ada', about: 'One.\n\nTwo.' }
  expect(SaveSite.parse({ personalInfo, address: { shopAddress: typed } })).toMatchObject({
    personalInfo: { name: line, shopName: line, about: 'One.\n\nTwo.' },
    address: { shopAddress: line },
  })
  expect(SiteSections.parse({ questions: [{ question: typed, answer: 'One.\n\nTwo.' }] })).toMatchObject({
    questions: [{ question: line, answer: 'One.\n\nTwo.' }],
  })
})
