import { describe, expect, test } from 'vitest'
import { apiVersions, endingVersions, versionsInUse } from './api-versions.ts'

const with_ = (metaGraph: string, linkedin: string) =>
  apiVersions({ metaGraph, linkedin, stripe: versionsInUse.stripe })
const at = (iso: string) => new Date(iso)

describe('versions of outside services', () => {
  test('have their announced end; LinkedIn’s other versions end after a year, and all others have none', () => {
    expect(with_('v25.0', '202603').map(({ name, ends }) => [name.split(' ')[0], ends])).toEqual([
      ['Meta', '2028-07-29'],
      ['LinkedIn', '2027-03-16'],
      ['TikTok', null],
      ['YouTube', null],
      ['Google', null],
      ['Stripe', null],
    ])
    expect(
      with_('v26.0', '202609')
        .map(({ ends }) => ends)
        .slice(0, 2),
    ).toEqual([null, '2027-09-15'])
    expect(
      with_('v99.0', 'someday')
        .map(({ ends }) => ends)
        .slice(0, 2),
    ).toEqual([null, null])
    expect(
      apiVersions({ metaGraph: 'v26.0', linkedin: '202609', stripe: undefined }).map(({ name }) => name),
    ).not.toContain('Stripe')
  })

  test.each([
    ['61 days ahead', '2027-07-16T00:00:00Z', []],
    ['60 days ahead', '2027-07-17T00:00:00Z', ['ends on 2027-09-15, in 60 days']],
    ['the day before', '2027-09-14T12:00:00Z', ['ends on 2027-09-15, in 1 day.']],
    ['on the day', '2027-09-15T00:00:00Z', ['ended on 2027-09-15']],
    ['a year later', '2028-09-15T00:00:00Z', ['ended on 2027-09-15']],
  ])('cause the expected warning %s', (_when, now, said) => {
    const warnings = endingVersions(with_('v26.0', '202609'), at(now))
    expect(warnings).toHaveLength(said.length)
    said.forEach((words, n) => expect(warnings[n]).toContain(`LinkedIn 202609 ${words}`))
    if (said.length > 0) expect(warnings[0]).toContain('then set LINKEDIN_VERSION')
  })

  test('cause no warning while none of them ends soon', () => {
    expect(endingVersions(with_(versionsInUse.metaGraph, versionsInUse.linkedin), at('2026-11-22T00:00:00Z'))).toEqual(
      [],
    )
    expect(endingVersions(with_('v20.0', '202511'), at('2026-11-22T00:00:00Z'))).toHaveLength(2)
  })
})
