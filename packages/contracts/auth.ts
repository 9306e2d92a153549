import { z } from 'zod'

/** Words of the account screens and calls (spec 4, 5, 8). */
export const authMessages = {
  emailRequired: 'Please enter your email address.',
  passwordRequired: 'Please enter your password.',
  nameRequired: 'Please enter your name.',
  confirmRequired: 'Please confirm your password.',
  passwordsDiffer: 'Passwords do not match',
  passwordTooShort: 'Password must be at least 6 characters long',
  passwordTooLong: 'Password must be at most 200 characters long',
  nameTooLong: 'Name must be at most 100 characters long',
  emailInvalid: 'Please enter a valid email address.',
  ageRequired: 'Please confirm that you are at least 18 years old.',
  tokenRequired: 'Please enter the verification token',
  resendEmailRequired: 'Please enter your email address',
  forgotEmailRequired: 'Please enter your email address',
  resetLinkInvalid: 'Invalid reset link. Please request a new password reset.',
  fillAllFields: 'Please fill in all fields',
  verifyLinkInvalid: 'The verification link is invalid or has expired.',
  badCredentials: 'Invalid email or password',
  registered: 'Account created successfully! Please check your email for verification link.',
  verified: 'Email verified successfully!',
  verificationSent: 'Verification email sent successfully!',
  resetSent: 'Password reset email sent successfully!',
  resetDone: 'Password reset successfully!',
  profileUpdated: 'Profile updated successfully',
  profileIdRequired: 'Whose profile this is, is missing.',
  currentPasswordRequired: 'Please enter your current password.',
  currentPasswordWrong: 'This is not your current password.',
  emailChangeSent: 'Please confirm the new address: we sent a link to it.',
  emailChangeCancelled: 'Your address stays as it is.',
  noEmailChange: 'There is no new address to confirm.',
  googleCancelled: 'The sign-in at Google was cancelled.',
  googleExpired: 'This sign-in took too long or was used already. Please try again.',
  googleRefused: 'Google did not confirm who you are. Please try again.',
  googleUnverified: 'Google has not verified the address of this account. Please use your email and a password.',
  googleUnreachable: 'We could not reach Google. Please try again in a moment.',
  loggedOut: 'Logged out successfully',
  sessionEnded: 'Logged out there.',
  othersEnded: 'Logged out everywhere else.',
  timeZoneUnknown: 'Please choose a time zone from the list.',
  timeZoneSaved: 'Time zone saved.',
  nameDiffers: 'This is not the name of this account.',
  deletionAsked: 'Your account will be deleted.',
  deletionUndone: 'Your account stays.',
  lastAdmin: 'You are the only admin. Make somebody else an admin first.',
  noDeletion: 'This account is not about to be deleted.',
  signedOut: 'You were logged out here. Please log in again.',
} as const

export const authFallbacks = {
  verify: 'Verification failed',
  resend: 'Failed to send verification email',
  forgot: 'Failed to send password reset email',
  reset: 'Failed to reset password',
  profile: 'Something went wrong',
  endSession: 'Failed to log out there',
  timeZone: 'Failed to save the time zone',
  deletion: 'Failed to delete the account',
  keep: 'Failed to keep the account',
} as const

export const authLimits = { passwordMin: 6, passwordMax: 200, nameMax: 100, emailMax: 254 } as const

const email = (required: string) =>
  z
    .string({ error: required })
    .trim()
    .min(1, required)
    .max(authLimits.emailMax, authMessages.emailInvalid)
    .pipe(z.email(authMessages.emailInvalid))
    .transform((value) => value.toLowerCase())

/** An address one can be answered at. */
export const Email = email(authMessages.emailRequired)

/** A password someone chooses: 6 to 200 characters (wire: PUT profile). */
export const NewPassword = z
  .string({ error: authMessages.passwordRequired })
  .min(1, authMessages.passwordRequired)
  .min(authLimits.passwordMin, authMessages.passwordTooShort)
  .max(authLimits.passwordMax, authMessages.passwordTooLong)

export const Name = z
  .string({ error: authMessages.nameRequired })
  .trim()
  .min(1, authMessages.nameRequired)
  .max(authLimits.nameMax, authMessages.nameTooLong)

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
  email: email(authMessages.emailRequired),
  password: NewPassword,
  timeZone: TimeZone.optional().catch(undefined),
})
export type RegisterInput = z.infer<typeof RegisterInput>

export const LoginInput = z.object({
  email: email(authMessages.emailRequired),
  password: z
    .string({ error: authMessages.passwordRequired })
    .min(1, authMessages.passwordRequired)
    .max(authLimits.passwordMax, authMessages.badCredentials),
})
export type LoginInput = z.infer<typeof LoginInput>

export const VerifyEmailInput = z.object({
  token: z.string({ error: authMessages.tokenRequired }).trim().min(1, authMessages.tokenRequired).max(200, authMessages.verifyLinkInvalid),
})
export type VerifyEmailInput = z.infer<typeof VerifyEmailInput>

export const ResendVerificationInput = z.object({ email: email(authMessages.resendEmailRequired) })
export type ResendVerificationInput = z.infer<typeof ResendVerificationInput>

export const ForgotPasswordInput = z.object({ email: email(authMessages.forgotEmailRequired) })
export type ForgotPasswordInput = z.infer<typeof ForgotPasswordInput>

/** A reset (spec 5): the token of the mailed link, then the password; the form checks that both fields match. */
export const ResetPasswordInput = z.object({
  token: z
    .string({ error: authMessages.resetLinkInvalid })
    .trim()
    .min(1, authMessages.resetLinkInvalid)
    .max(200, authMessages.resetLinkInvalid),
  newPassword: z
    .string({ error: authMessages.fillAllFields })
    .min(1, authMessages.fillAllFields)
    .min(authLimits.passwordMin, authMessages.passwordTooShort)
    .max(authLimits.passwordMax, authMessages.passwordTooLong),
})
export type ResetPasswordInput = z.infer<typeof ResetPasswordInput>

/** PUT profile (wire): what is left out, and an empty password, stays as it is. */
export const UpdateProfileInput = z.object({
  _id: z.string({ error: authMessages.profileIdRequired }).min(1, authMessages.profileIdRequired),
  name: Name.optional(),
  email: email(authMessages.emailRequired).optional(),
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
export const Account = z.object({
  hasPassword: z.boolean(),
  /** The address that waits for its confirmation. */
  pendingEmail: z.string().nullable(),
  /** Whether Google opens this account too. */
  google: z.boolean(),
})
export type Account = z.infer<typeof Account>

/** Ways to sign in beside a password that this installation has. */
export const SignInWays = z.object({ google: z.boolean() })
export type SignInWays = z.infer<typeof SignInWays>

/** The session as the browser sees it (spec 3, User). */
export const UserInfo = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  isActive: z.boolean(),
  isEmailVerified: z.boolean(),
  /** When the account is deleted; there only once that was asked for. */
  deletesAt: z.string().optional(),
})
export type UserInfo = z.infer<typeof UserInfo>

export const Message = z.object({ message: z.string() })
export type Message = z.infer<typeof Message>

/** One person of the seed cast, offered at /login while the sandbox plays the outside world. */
export const CastMember = z.object({ name: z.string(), email: z.string(), password: z.string(), about: z.string() })
export type CastMember = z.infer<typeof CastMember>

/** Days in which a deleted account can be had back by logging in (spec 9: data kept 30 days). */
export const graceDays = 30

/** When an account whose deletion was asked for goes. */
export function deletesAt(askedAt: Date): Date {
  return new Date(askedAt.getTime() + graceDays * 86_400_000)
}

/** Somewhere somebody is logged in. */
export const Session = z.object({
  _id: z.string(),
  /** "Firefox", "Instagram's browser"; null when it did not say. */
  browser: z.string().nullable(),
  /** "Windows", "iPhone"; null when it did not say. */
  system: z.string().nullable(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  /** This very browser. */
  current: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const SessionId = z.object({ id: z.string().min(1).max(200) })
export type SessionId = z.infer<typeof SessionId>

export const StudioZone = z.object({
  timeZone: z.string({ error: authMessages.timeZoneUnknown }).refine((zone) => TimeZone.safeParse(zone).success, authMessages.timeZoneUnknown),
})
export type StudioZone = z.infer<typeof StudioZone>

/** The account's name, typed once more. */
export const DeleteAccountInput = z.object({ name: z.string({ error: authMessages.nameDiffers }).trim().max(authLimits.nameMax, authMessages.nameDiffers) })
export type DeleteAccountInput = z.infer<typeof DeleteAccountInput>

export const Leaving = z.object({ message: z.string(), deletesAt: z.string() })
export type Leaving = z.infer<typeof Leaving>
