import { UpdateProfileInput } from '@flashsheet/contracts/auth/schema'
import { authLimits } from '@flashsheet/contracts/auth/limits'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import { fieldErrors } from '../../lib/validation.ts'

export type NewPasswords = { newPassword: string; confirm: string }

/** Reports one kind of error at a time, in this order: empty fields, different passwords, wrong length. */
export function resetErrors({ newPassword, confirm }: NewPasswords): Partial<NewPasswords> {
  const empty = {
    ...(newPassword === '' ? { newPassword: authMessages.fillAllFields } : {}),
    ...(confirm === '' ? { confirm: authMessages.fillAllFields } : {}),
  }
  if (Object.keys(empty).length > 0) return empty
  if (newPassword !== confirm) return { confirm: authMessages.passwordsDiffer }
  if (newPassword.length < authLimits.passwordMin) return { newPassword: authMessages.passwordTooShort }
  if (newPassword.length > authLimits.passwordMax) return { newPassword: authMessages.passwordTooLong }
  return {}
}

/** The form behind "This wasn't me". */
export const emptyTakeOver = { name: '', newPassword: '', confirm: '' }

export function takeOverErrors({ name, ...passwords }: typeof emptyTakeOver): Partial<typeof emptyTakeOver> {
  return { ...(name.trim() === '' ? { name: authMessages.nameRequired } : {}), ...resetErrors(passwords) }
}

export type Profile = { name: string; email: string; password: string; confirm: string; currentPassword: string }

/** A change of the address or the password needs the current password, unless the account has none (Google sign-in). */
export function needsCurrentPassword(values: Profile, account: { email: string; hasPassword: boolean }): boolean {
  return account.hasPassword && (values.password !== '' || values.email.trim().toLowerCase() !== account.email)
}

export function profileErrors(
  values: Profile,
  account: { _id: string; email: string; hasPassword: boolean },
): Partial<Profile> {
  const errors: Partial<Profile> = fieldErrors(UpdateProfileInput, { ...values, _id: account._id })
  if (values.confirm !== values.password) errors.confirm = authMessages.passwordsDiffer
  if (needsCurrentPassword(values, account) && values.currentPassword === '')
    errors.currentPassword = authMessages.currentPasswordRequired
  return errors
}
