import { sitePalettes } from '@flashsheet/contracts/site-design'
import { siteMessages } from '@flashsheet/contracts/website/messages'
import { expect, test } from 'vitest'
import { toDomainName, omitUnchanged, parseStoredDraft, saveInput, siteErrors, valuesOf } from './site-draft.ts'
import { publishedSite } from './site-fixture.ts'

const site = { ...publishedSite, links: { hidden: ['email'] } }

test('a site survives the round trip through the form unchanged', () => {
  const { gallery: _unchanged, ...record } = site
  expect(saveInput(valuesOf(site))).toEqual(record)
})

test('an empty row is not sent, and a row without a name gets an error at that field', () => {
  const values = valuesOf(site)
  const blank = { name: ' ', price: '', note: '' }
  const typed = (services: typeof values.services) => ({ ...values, services })
  expect(saveInput(typed([blank, ...values.services])).sections?.services).toEqual(values.services)
  expect(siteErrors(typed([{ ...blank, price: '$80' }]))).toEqual({
    'sections.services.0.name': siteMessages.serviceName,
  })
})

test('a list of hidden links that equals the saved one is no change', () => {
  expect(omitUnchanged({ hiddenLinks: ['email'] }, valuesOf(site))).toEqual({})
  expect(omitUnchanged({ hiddenLinks: [] }, valuesOf(site))).toEqual({ hiddenLinks: [] })
})

test('a site that was never saved starts as published, in the first palette', () => {
  const fresh = { ...site, published: false, personalInfo: { ...site.personalInfo, domainName: '' } }
  expect(valuesOf(fresh)).toMatchObject({ published: true, palette: 'bone', ...sitePalettes.bone.colors })
  expect(valuesOf({ ...site, published: false }).published).toBe(false)
})

test('a field that is changed back to its saved value is no change', () => {
  const saved = valuesOf(site)
  expect(
    omitUnchanged(
      {
        name: 'Ada',
        city: 'Reno',
        logoImage: { ...site.images.logoImage!, fileName: 'other.png' },
        profileImage: null,
      },
      saved,
    ),
  ).toEqual({ city: 'Reno' })
})

test('each error is reported at its field', () => {
  expect(siteErrors({ ...valuesOf(site), name: ' ', domainName: 'a', email: 'x', textColor: 'no' })).toEqual({
    name: expect.any(String),
    domainName: expect.any(String),
    email: expect.any(String),
    textColor: expect.any(String),
  })
  expect(siteErrors(valuesOf(site))).toEqual({})
})

test.each([
  ['Ada Inkwell', 'ada-inkwell'],
  ['Café_Ñandú 9', 'cafe-nandu-9'],
  ['x'.repeat(60), 'x'.repeat(40)],
  ['墨', ''],
])('%s is converted to %s', (typed, name) => expect(toDomainName(typed)).toBe(name))

test.each([[null], [''], ['{'], ['[1]'], ['{"name":5}']])('unreadable stored changes (%j) are ignored', (stored) =>
  expect(parseStoredDraft(stored)).toEqual({ changes: {}, base: {} }),
)

test('stored changes are restored, except images without a URL', () => {
  expect(parseStoredDraft(JSON.stringify({ city: 'Reno', logoImage: null, profileImage: {}, unknown: 1 }))).toEqual({
    changes: { city: 'Reno', logoImage: null },
    base: {},
  })
})

test('a stored draft of a former version keeps its sections', () => {
  const { sections } = site
  expect(parseStoredDraft(JSON.stringify({ city: 'Reno', sections }))).toEqual({
    changes: { city: 'Reno', ...sections },
    base: {},
  })
})
