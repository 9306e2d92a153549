import { UpdateProfileInput } from '@flashsheet/contracts/auth/schema'
import { authLimits } from '@flashsheet/contracts/auth/limits'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import { fieldErrors } from '../../lib/validation.ts'

/** The two fields of /reset-password. */
export type NewPasswords = { newPassword: string; confirm: string }

/** What is wrong with a reset, in this order: both filled in, alike, long enough. */
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

/** The form of "This wasn't me". */
export const instead = { name: '', newPassword: '', confirm: '' }

export function insteadErrors({ name, ...passwords }: typeof instead): Partial<typeof instead> {
  return { ...(name.trim() === '' ? { name: authMessages.nameRequired } : {}), ...resetErrors(passwords) }
}

/** What the form on /profile holds. */
export type Profile = { name: string; email: string; password: string; confirm: string; currentPassword: string }

/** Whether saving takes the current password: the address or the password is about to change, and there is one. */
export function needsCurrentPassword(values: Profile, account: { email: string; hasPassword: boolean }): boolean {
  return account.hasPassword && (values.password !== '' || values.email.trim().toLowerCase() !== account.email)
}

/** What is wrong with a profile, field by field. */
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
