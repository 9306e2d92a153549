import { expect, test } from 'vitest'
import { toUnavailable } from './s3-client.ts'

const withCode = (code: string) => Object.assign(new Error('a request failed'), { code })

test.each(['ECONNREFUSED', 'ENETDOWN', 'ENETUNREACH'])('reports a store as unavailable after %s', (code) => {
  expect(toUnavailable(withCode(code))).toMatchObject({ kind: 'unavailable', retryAfter: 5 })
})

test('passes on an error that says nothing about the store', () => {
  const error = withCode('ERR_INVALID_ARG_TYPE')
  expect(toUnavailable(error)).toBe(error)
})
