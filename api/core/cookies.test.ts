import { expect, test } from 'vitest'
import { readCookie, serializeCookie } from './cookies.ts'

const https = 'https://app.example'

test('a cookie is read by its whole name, whatever the other cookies are', () => {
  const others = 'x__Host-flashsheet_session=theirs; note=__Host-flashsheet_session=theirs; broken=%E0%A4%A'
  expect(readCookie(https, others, 'session')).toBeUndefined()
  expect(readCookie(https, `${others}; __Host-flashsheet_session=own`, 'session')).toBe('own')
  expect(readCookie(https, '__Host-flashsheet_session=b64==', 'session')).toBe('b64==')
  expect(readCookie(https, undefined, 'session')).toBeUndefined()
})

test('a cookie is hidden from scripts and from forms on other sites, and bound to its host on https', () => {
  expect(serializeCookie(https, 'device', 'a', 60)).toBe(
    '__Host-flashsheet_device=a; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
  )
  expect(serializeCookie('http://localhost:3000', 'device', 'a', 60)).toBe(
    'flashsheet_device=a; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
  )
})
