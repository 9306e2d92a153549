import { expect, test } from 'vitest'
import { notFound, tooMany, unavailable } from '../core/errors.ts'
import { createLogger } from '../core/log.ts'
import { failedPage } from './notices.ts'

const failed = (thrown: unknown, method = 'GET') =>
  failedPage(createLogger('silent'), thrown, { method, path: '/s/ada', host: 'localhost' })

test('an unexpected error is a 500 page that reveals nothing about it', () => {
  const page = failed(new Error('relation "secrets" does not exist'))
  expect(page.status).toBe(500)
  expect(page.body).toContain('Something went wrong')
  expect(page.body).not.toContain('secrets')
})

test('while a dependency is unavailable the page says when to come back, and only a page that was read reloads itself', () => {
  expect(failed(unavailable(undefined, 7))).toMatchObject({
    status: 503,
    headers: { 'retry-after': '7', refresh: '7' },
  })
  expect(failed(unavailable(undefined, 7), 'POST').headers).toEqual({ 'retry-after': '7' })
})

test('a refusal is a page with its status, message and the time until the next try', () => {
  const tooOften = failed(tooMany(60, 'Please wait a minute.'))
  expect(tooOften).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
  expect(tooOften.body).toContain('Please wait a minute.')
  expect(failed(notFound('No such day.'))).toMatchObject({ status: 404, body: expect.stringContaining('No such day.') })
})
