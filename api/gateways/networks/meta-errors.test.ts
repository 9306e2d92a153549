import { expect, test } from 'vitest'
import { NetworkError } from './adapter.ts'
import { graphVerdict, isObjectMissing, readGraphFailure } from './meta-errors.ts'

const now = new Date('2026-11-21T12:00:00Z')
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

function verdictOf(error: object, { headers = {}, irreversible = false, status = 400 } = {}) {
  const body = { error }
  return graphVerdict('facebook', readGraphFailure(body)!, {
    status,
    headers: new Headers(headers),
    body,
    irreversible,
    now,
  })
}

const usage = (...minutes: number[]) => ({
  'x-business-use-case-usage': JSON.stringify({
    '17841': minutes.map((wait) => ({ type: 'pages', estimated_time_to_regain_access: wait })),
  }),
})

test.each([
  ['for the longest of the announced waits', usage(5, 90, 0), 90],
  ['for an hour without a figure', usage(0), 60],
  ['for an hour without the header', {}, 60],
  ['for an hour with an invalid header', { 'x-business-use-case-usage': 'soon' }, 60],
])('a throttle lasts %s', (_title, headers, minutes) => {
  expect(verdictOf({ code: 32 }, { headers })).toEqual({ class: 'later', retryAt: inMinutes(minutes) })
})

test('the same text twice is refused, and may be our own post after the irreversible call', () => {
  const error = { code: 506, error_user_msg: 'Duplicate status message' }
  expect(verdictOf(error)).toEqual({ class: 'permanent', sentence: 'Duplicate status message' })
  expect(verdictOf(error, { irreversible: true })).toEqual({ class: 'unknown' })
})

test.each([
  [{ code: 368 }, { class: 'later', retryAt: inMinutes(60) }],
  [{ code: 368, error_subcode: 1404102 }, { class: 'permanent' }],
  [{ code: 368, error_subcode: 1346003 }, { class: 'permanent' }],
  [{ code: 368, error_subcode: 4854002 }, { class: 'reconnect' }],
  [{ code: 100, error_subcode: 1363030 }, { class: 'retry' }],
  [{ code: 100, is_transient: true }, { class: 'retry' }],
  [{ code: 6000 }, { class: 'retry', idsLapsed: true }],
  [{ code: 100, error_subcode: 33 }, { class: 'reconnect' }],
  [{ code: 101 }, { class: 'config' }],
  [{ code: 100 }, { class: 'permanent' }],
])('%j means %j', (error, verdict) => {
  expect(verdictOf(error)).toEqual(verdict)
})

test.each([
  ['100/33', true],
  ['100/33 (AbC1)', true],
  ['100/331', false],
  ['100', false],
])('code %s of an object of ours: missing %s', (code, isMissing) => {
  expect(isObjectMissing(new NetworkError('reconnect', code, 'No'))).toBe(isMissing)
})
