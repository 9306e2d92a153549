import { RegisterInput } from '@flashsheet/contracts/auth/schema'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import { fieldErrors } from '../../lib/validation.ts'

export type Registration = { name: string; email: string; password: string; confirm: string; isOfAge: boolean }

export function registerErrors(values: Registration): Partial<Record<keyof Registration, string>> {
  const errors: Partial<Record<keyof Registration, string>> = fieldErrors(RegisterInput, values)
  if (values.confirm === '') errors.confirm = authMessages.confirmRequired
  else if (values.confirm !== values.password) errors.confirm = authMessages.passwordsDiffer
  if (!values.isOfAge) errors.isOfAge = authMessages.ageRequired
  return errors
}
