import { z } from 'zod'
import { requiredText } from '../max-length.ts'
import { authLimits } from './limits.ts'
import { authMessages } from './messages.ts'
import { holdsAddress } from '../web-address.ts'

const email = (required: string) =>
  requiredText(required, authLimits.emailMax, authMessages.emailInvalid)
    .pipe(z.email(authMessages.emailInvalid))
    .transform((value) => value.toLowerCase())

/** An address one can be answered at. */
export const Email = email(authMessages.emailRequired)

/** A password someone chooses: 6 to 200 characters (`PUT /api/profile`). */
const newPassword = (missing: string) =>
  z
    .string({ error: missing })
    .min(1, missing)
    .min(authLimits.passwordMin, authMessages.passwordTooShort)
    .max(authLimits.passwordMax, authMessages.passwordTooLong)
const NewPassword = newPassword(authMessages.passwordRequired)

/** The password that somebody has, without blanks taken off. */
const password = (missing: string, wrong: string) =>
  z.string({ error: missing }).min(1, missing).max(authLimits.passwordMax, wrong)

export const Name = requiredText(authMessages.nameRequired, authLimits.nameMax, authMessages.nameTooLong)
  // Names are in mails to others, whose mail programs would turn an address into a link.
  .refine((name) => !holdsAddress(name), authMessages.nameHoldsAddress)

/** An IANA zone this runtime knows; anything else is treated as not given, never as an error. */
export const TimeZone = z
  .string()
  .max(64)
  .refine((zone) => {
    try {
      return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
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
 * What the page of a mailed link sends. Where the browser did not register it takes the password of the registration, or, when it was somebody
 * else's, a name and a password of one's own.
 */
export const ConfirmLinkInput = VerifyEmailInput.extend({
  password: z.string().max(authLimits.passwordMax, authMessages.registeredPasswordWrong).optional(),
  newPassword: NewPassword.optional(),
  name: Name.optional(),
})
export type ConfirmLinkInput = z.infer<typeof ConfirmLinkInput>

/** The code that stands in the mail beside the link, typed in the browser that registered; spaces do not count. */
export const ConfirmCodeInput = z.object({
  email: Email,
  code: z
    .string({ error: authMessages.codeRequired })
    .max(40, authMessages.codeRequired)
    .transform((value) => value.replaceAll(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, authMessages.codeRequired)),
})
export type ConfirmCodeInput = z.infer<typeof ConfirmCodeInput>

/** What a mailed link is about, for the page that asks before it does anything. */
export type LinkInfo = {
  kind: 'registration' | 'new_address' | 'staff_address'
  email: string
  name: string
  /** Whether this browser is the one that registered, or is logged in as this person. */
  isAsker: boolean
  /** When and on what somebody registered; null for an account that exists. */
  registered: { at: string; browser: string | null; system: string | null } | null
}

export const ResendVerificationInput = z.object({ email: email(authMessages.resendEmailRequired) })
export type ResendVerificationInput = z.infer<typeof ResendVerificationInput>

export const ForgotPasswordInput = z.object({ email: email(authMessages.forgotEmailRequired) })
export type ForgotPasswordInput = z.infer<typeof ForgotPasswordInput>

/** A reset: the token of the mailed link, then the password; the form checks that both fields match. */
export const ResetPasswordInput = z.object({
  token: requiredText(authMessages.resetLinkInvalid, 200, authMessages.resetLinkInvalid),
  newPassword: newPassword(authMessages.fillAllFields),
})
export type ResetPasswordInput = z.infer<typeof ResetPasswordInput>

/** PUT profile: what is left out, and an empty password, stays as it is. */
export const UpdateProfileInput = z.object({
  _id: z.string({ error: authMessages.profileIdRequired }).min(1, authMessages.profileIdRequired),
  name: Name.optional(),
  email: Email.optional(),
  password: z
    .string({ error: authMessages.passwordRequired })
    .max(authLimits.passwordMax, authMessages.passwordTooLong)
    .refine((value) => value === '' || value.length >= authLimits.passwordMin, authMessages.passwordTooShort)
    .optional(),
  /** Asked for when the address or the password changes and the account has a password. */
  currentPassword: z
    .string({ error: authMessages.currentPasswordRequired })
    .max(authLimits.passwordMax, authMessages.currentPasswordWrong)
    .optional(),
})
export type UpdateProfileInput = z.infer<typeof UpdateProfileInput>

/** What /profile knows beside the session's user. */
export type Account = {
  hasPassword: boolean
  /** The address that waits for its confirmation. */
  pendingEmail: string | null
  /** Whether Google opens this account too. */
  google: boolean
}

/** The ways into one's own account. */
export type OwnSignInWays = { hasPassword: boolean; google: { email: string; linkedAt: string }[] }

export const RemoveGoogleInput = z.object({
  currentPassword: password(authMessages.currentPasswordRequired, authMessages.currentPasswordWrong),
})
export type RemoveGoogleInput = z.infer<typeof RemoveGoogleInput>

/** Ways to sign in beside a password that this installation has. */
export const SignInWays = z.object({ google: z.boolean() })
export type SignInWays = z.infer<typeof SignInWays>

/** The session as the browser sees it. */
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

/** Somewhere somebody is logged in. */
export type Session = {
  _id: string
  /** "Firefox", "Instagram's browser"; null when it did not say. */
  browser: string | null
  /** "Windows", "iPhone"; null when it did not say. */
  system: string | null
  createdAt: string
  lastSeenAt: string
  /** This very browser. */
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

/** The account's name, typed once more. */
export const DeleteAccountInput = z.object({
  name: z.string({ error: authMessages.nameDiffers }).trim().max(authLimits.nameMax, authMessages.nameDiffers),
})
export type DeleteAccountInput = z.infer<typeof DeleteAccountInput>

export type AccountDeletionAnswer = { message: string; deletesAt: string }
