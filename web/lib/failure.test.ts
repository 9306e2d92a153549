import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { failureOf, isUnavailable } from './failure.ts'

const refusedWith = (refusal: unknown) =>
  TRPCClientError.from({
    error: { code: -32600, message: 'x', data: { code: 'BAD_REQUEST', httpStatus: 400, refusal } },
  } as never)
const failedWith = (cause: Error, status?: number) =>
  TRPCClientError.from(cause, status === undefined ? {} : { meta: { response: new Response('', { status }) } })

test("the server's message replaces the fallback", () => {
  expect(
    failureOf(refusedWith({ message: 'Invalid email or password', code: 'unauthenticated' }), 'Something went wrong'),
  ).toEqual({
    message: 'Invalid email or password',
    code: 'unauthenticated',
  })
})

test('includes messages of fields', () => {
  expect(failureOf(refusedWith({ message: 'No', code: 'invalid', fields: { email: 'Taken' } }), 'x').fields).toEqual({
    email: 'Taken',
  })
})

test.each([
  [new TypeError('Failed to fetch'), undefined, 'FETCH_ERROR'],
  [new DOMException('too late', 'TimeoutError'), undefined, 'TIMEOUT_ERROR'],
  [new DOMException('aborted', 'AbortError'), undefined, 'TIMEOUT_ERROR'],
  [new SyntaxError('Unexpected token <'), 200, 'PARSING_ERROR'],
  [new SyntaxError('Unexpected token <'), 502, '502'],
])('%s with status %s is %s, with the fallback as its message', (cause, status, code) => {
  const failure = failureOf(failedWith(cause as Error, status), 'Failed to get plans')
  expect(failure.code).toBe(code)
  expect(failure.message).toBe('Failed to get plans')
  // The code is for logs; the detail is a sentence.
  expect(failure.detail).toMatch(/^[A-Z][^A-Z_\d]+\. [A-Z][^A-Z_\d]+\.$/)
})

test('an error that is not from a call has the fallback only', () => {
  expect(failureOf('boom', 'Upload failed')).toEqual({ message: 'Upload failed', code: 'unknown' })
})

test('an error body that tRPC cannot parse keeps its message, and a 503 counts as unavailable', () => {
  const body = { message: 'Away for a moment.', code: 'unavailable' }
  const error = TRPCClientError.from(new Error('Unable to transform response from server'), {
    meta: { response: new Response('', { status: 503 }), responseJSON: body },
  })
  expect(failureOf(error, 'Something went wrong')).toEqual(body)
  expect(isUnavailable(error)).toBe(true)
})

test.each([
  [503, true],
  [502, false],
])("a proxy's page with status %i means that the server is unavailable: %s", (status, expected) => {
  expect(isUnavailable(failedWith(new SyntaxError('Unexpected token <'), status))).toBe(expected)
})
