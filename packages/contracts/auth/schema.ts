import { z } from 'zod'
import { requiredText } from '../max-length.ts'
import { authLimits } from './limits.ts'
import { authMessages } from './messages.ts'
import { containsAddress } from '../web-address.ts'

const email = (required: string) =>
  requiredText(required, authLimits.emailMax, authMessages.emailInvalid)
    .pipe(z.email(authMessages.emailInvalid))
    .transform((value) => value.toLowerCase())

export const Email = email(authMessages.emailRequired)

/** A password that somebody chooses. */
const newPassword = (missing: string) =>
  z
    .string({ error: missing })
    .min(1, missing)
    .min(authLimits.passwordMin, authMessages.passwordTooShort)
    .max(authLimits.passwordMax, authMessages.passwordTooLong)
const NewPassword = newPassword(authMessages.passwordRequired)

/** An existing password; blanks around it are not removed. */
const password = (missing: string, wrong: string) =>
  z.string({ error: missing }).min(1, missing).max(authLimits.passwordMax, wrong)

export const Name = requiredText(authMessages.nameRequired, authLimits.nameMax, authMessages.nameTooLong)
  // Names appear in mails to other people, whose mail programs would turn an address into a link.
  .refine((name) => !containsAddress(name), authMessages.nameContainsAddress)

/** An IANA zone that this runtime knows. Its fixed offsets, such as `+02:00`, are refused: they have no summer time. */
export const TimeZone = z
  .string()
  .max(64)
  .refine((zone) => {
    try {
      return !/^[+-]/.test(zone) && Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
    } catch {
      return false
    }
  })

export const RegisterInput = z.object({
  name: Name,
  email: Email,
  password: NewPassword,
  timeZone: TimeZone.optional().catch(undefined),
})
export type RegisterInput = z.infer<typeof RegisterInput>

export const LoginInput = z.object({
  email: Email,
  password: password(authMessages.passwordRequired, authMessages.badCredentials),
})
export type LoginInput = z.infer<typeof LoginInput>

export const VerifyEmailInput = z.object({
  token: requiredText(authMessages.tokenRequired, 200, authMessages.verifyLinkInvalid),
})
export type VerifyEmailInput = z.infer<typeof VerifyEmailInput>

/**
 * The input of a mailed link's page. A browser that did not register sends the password of the registration; or, if another
 * person registered the address, a new name and password.
 */
export const ConfirmLinkInput = VerifyEmailInput.extend({
  password: z.string().max(authLimits.passwordMax, authMessages.registeredPasswordWrong).optional(),
  newPassword: NewPassword.optional(),
  name: Name.optional(),
})
export type ConfirmLinkInput = z.infer<typeof ConfirmLinkInput>

/** The code of the same mail, typed in the browser that registered; spaces are ignored. */
export const ConfirmCodeInput = z.object({
  email: Email,
  code: z
    .string({ error: authMessages.codeRequired })
    .max(40, authMessages.codeRequired)
    .transform((value) => value.replaceAll(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, authMessages.codeRequired)),
})
export type ConfirmCodeInput = z.infer<typeof ConfirmCodeInput>

/** Information about a mailed link, for the page that asks before it is used. */
export type LinkInfo = {
  kind: 'registration' | 'new_address' | 'staff_address'
  email: string
  name: string
  /** Whether this browser is the one that registered, or is logged in as this person. */
  isAsker: boolean
  /** When and with which browser the registration was made; null for an existing account. */
  registered: { at: string; browser: string | null; system: string | null } | null
}

export const ResendVerificationInput = z.object({ email: email(authMessages.resendEmailRequired) })
export type ResendVerificationInput = z.infer<typeof ResendVerificationInput>

export const ForgotPasswordInput = z.object({ email: email(authMessages.forgotEmailRequired) })
export type ForgotPasswordInput = z.infer<typeof ForgotPasswordInput>

/** The form checks that its two password fields match. */
export const ResetPasswordInput = z.object({
  token: requiredText(authMessages.resetLinkInvalid, 200, authMessages.resetLinkInvalid),
  newPassword: newPassword(authMessages.fillAllFields),
})
export type ResetPasswordInput = z.infer<typeof ResetPasswordInput>

/** PUT profile: omitted fields, and an empty password, do not change. */
export const UpdateProfileInput = z.object({
  _id: z.string({ error: authMessages.profileIdRequired }).min(1, authMessages.profileIdRequired).toLowerCase(),
  name: Name.optional(),
  email: Email.optional(),
  password: z
    .string({ error: authMessages.passwordRequired })
    .max(authLimits.passwordMax, authMessages.passwordTooLong)
    .refine((value) => value === '' || NewPassword.safeParse(value).success, authMessages.passwordTooShort)
    .optional(),
  /** Required to change the address or the password of an account that has a password. */
  currentPassword: z
    .string({ error: authMessages.currentPasswordRequired })
    .max(authLimits.passwordMax, authMessages.currentPasswordWrong)
    .optional(),
})
export type UpdateProfileInput = z.infer<typeof UpdateProfileInput>

/** Facts for /profile that are not in the session's user. */
export type Account = {
  hasPassword: boolean
  /** The requested new address, until it is confirmed. */
  pendingEmail: string | null
  /** Whether the artist can sign in with Google. */
  google: boolean
}

/** How the artist can sign in. */
export type OwnSignInMethods = { hasPassword: boolean; google: { email: string; linkedAt: string }[] }

export const RemoveGoogleInput = z.object({
  currentPassword: password(authMessages.currentPasswordRequired, authMessages.currentPasswordWrong),
})
export type RemoveGoogleInput = z.infer<typeof RemoveGoogleInput>

/** The sign-in methods of this installation besides a password. */
export const SignInMethods = z.object({ google: z.boolean() })
export type SignInMethods = z.infer<typeof SignInMethods>

/** The user of the session. */
export const UserInfo = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  isActive: z.boolean(),
  isEmailVerified: z.boolean(),
  /** When the account is deleted; absent unless that was requested. */
  deletesAt: z.string().optional(),
})
export type UserInfo = z.infer<typeof UserInfo>

export const Message = z.object({ message: z.string() })
export type Message = z.infer<typeof Message>

/** The login of a demo account, offered at /login while the sandbox is on. */
export type DemoLogin = {
  name: string
  email: string
  password: string
  about: string
}

/** A session, for its user. */
export type Session = {
  _id: string
  /** "Firefox", "Instagram's browser"; null: unknown. */
  browser: string | null
  /** "Windows", "iPhone"; null: unknown. */
  system: string | null
  createdAt: string
  lastSeenAt: string
  /** The session of the request. */
  current: boolean
}

export const SessionId = z.object({ id: z.string().min(1).max(200) })
export type SessionId = z.infer<typeof SessionId>

export const StudioZone = z.object({
  timeZone: z
    .string({ error: authMessages.timeZoneUnknown })
    .refine((zone) => TimeZone.safeParse(zone).success, authMessages.timeZoneUnknown),
})
export type StudioZone = z.infer<typeof StudioZone>

/** The account's name, typed to confirm the deletion. */
export const DeleteAccountInput = z.object({
  name: z.string({ error: authMessages.nameDiffers }).trim().max(authLimits.nameMax, authMessages.nameDiffers),
})
export type DeleteAccountInput = z.infer<typeof DeleteAccountInput>

export type AccountDeletionAnswer = { message: string; deletesAt: string }
