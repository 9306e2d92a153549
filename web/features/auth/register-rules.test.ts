import { expect, test } from 'vitest'
import { registerErrors } from './register-rules.ts'

const valid = { name: 'Mara', email: 'mara@example.com', password: 'needle7', confirm: 'needle7', isOfAge: true }

test('an empty form is refused with a message for every field', () => {
  expect(registerErrors({ name: ' ', email: '', password: '', confirm: '', isOfAge: false })).toEqual({
    name: 'Please enter your name.',
    email: 'Please enter your email address.',
    password: 'Please enter your password.',
    confirm: 'Please confirm your password.',
    isOfAge: 'Please confirm that you are at least 18 years old.',
  })
})

test('passwords must match', () => {
  expect(registerErrors({ ...valid, confirm: 'needle8' })).toEqual({ confirm: 'Passwords do not match' })
})

test('a short password is refused before it is sent', () => {
  expect(registerErrors({ ...valid, password: '12345', confirm: '12345' })).toEqual({
    password: 'Password must be at least 6 characters long',
  })
})

test('a complete form has no errors', () => {
  expect(registerErrors(valid)).toEqual({})
})
