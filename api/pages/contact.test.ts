import { expect, test } from 'vitest'
import type { SiteContent } from '../features/website/service/public-site.ts'
import { contactDetails } from './contact.ts'
import { textOf } from './rendered.ts'

const detailsOf = (details: { email?: string; phone?: string }) =>
  textOf(contactDetails({ email: '', phone: '', place: {}, links: [], ...details } as unknown as SiteContent, 2))

test.each([
  ['(555) 010-1234', 'tel:5550101234'],
  ['+1 555 010 1234', 'tel:+15550101234'],
  ['555-010-1234 x12', 'tel:5550101234'],
  ['555-010-1234 ext. 12', 'tel:5550101234'],
])('the link of %s dials no extension', (phone, href) => {
  const details = detailsOf({ phone })
  expect(details).toContain(`href="${href}"`)
  expect(details).toContain(`>${phone}<`)
})

test('the link of an address encodes what would be read as a part of the link', () => {
  expect(detailsOf({ email: 'ada+ink@quill.example' })).toContain('href="mailto:ada%2Bink@quill.example"')
})
