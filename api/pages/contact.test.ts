import { expect, test } from 'vitest'
import type { SiteContent } from '../features/website/service/public-site.ts'
import { contactDetails } from './contact.ts'
import { textOf } from './rendered.ts'

const detailsOf = (details: { email?: string; phone?: string }) =>
  textOf(contactDetails({ email: '', phone: '', place: {}, links: [], ...details } as unknown as SiteContent, 2))

test('the link of a number dials no extension', () => {
  const details = detailsOf({ phone: '555-010-1234 x12' })
  expect(details).toContain('href="tel:5550101234"')
  expect(details).toContain('>555-010-1234 x12<')
})

test('the link of an address encodes what would be read as a part of the link', () => {
  expect(detailsOf({ email: 'ada+ink@quill.example' })).toContain('href="mailto:ada%2Bink@quill.example"')
})
