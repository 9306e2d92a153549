import { expect, test } from 'vitest'
import { loginRedirect } from './login-redirect.ts'

const id = '0193e7a0-0000-7000-8000-000000000001'

/** The paths of all screens behind a login, by their route files. */
const screens = Object.keys(import.meta.glob('../../routes/{_app,admin}/**/*.tsx'))
  .map((file) =>
    file
      .replace('../../routes', '')
      .replace(/\.tsx$/, '')
      .replaceAll(/\/_(app|subscriber)/g, '')
      .replaceAll('_.', '.')
      .replaceAll('.', '/')
      .replace(/\/index$/, '')
      .replace('$id', id),
  )
  .filter((path) => path !== '')

test('refuses other sites, public screens and unknown paths', () => {
  for (const from of [
    undefined,
    'https://elsewhere.example/new-post',
    '//elsewhere.example',
    '/',
    '/login',
    '/nowhere',
  ])
    expect(loginRedirect(from)).toBeUndefined()
})

test('a login returns to every screen behind it, with its query', () => {
  expect(screens).toContain('/queue')
  expect(screens).toContain(`/settings/developers/webhooks/${id}`)
  for (const path of screens) expect(loginRedirect(`${path}?page=2`)).toBe(`${path}?page=2`)
})
