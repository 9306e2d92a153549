import { authLimits, graceDays } from '@flashsheet/contracts/auth/limits'
import type { LinkPurpose, UserRow } from './queries.ts'

/** Hours until a mailed link expires; a reset's is the shortest, as it opens the account. */
export const linkHours: Record<LinkPurpose, number> = { verify_email: 24, change_email: 24, reset_password: 1 }

/** What the six digits of a verification mail are derived for, from the hash of its token. */
export const codePurpose = 'verification-code'

/** The maximum minutes of a sign-in at Google. */
export const signInMinutes = 10

/** Days until expired links and sign-ins are deleted. */
export const keptDays = 1

/** The maximum of unverified registrations per address; of more the oldest is deleted. */
export const maxRegistrations = 5

/** Days until an unverified registration is deleted. */
export const registrationDays = 30

/**
 * Whether ADMIN_EMAIL makes this person staff at this log-in: the mailbox is verified, and neither did the setting
 * apply before nor did staff remove the right.
 */
export function isNamedAdmin(
  user: Pick<UserRow, 'email' | 'emailVerifiedAt' | 'isAdmin' | 'adminSettingUsedAt' | 'deletionAskedAt'>,
  adminEmail: string | undefined,
): boolean {
  if (
    user.isAdmin ||
    user.emailVerifiedAt === null ||
    user.adminSettingUsedAt !== null ||
    user.deletionAskedAt !== null
  )
    return false
  return adminEmail !== undefined && user.email === adminEmail
}

/** The default name: the local part of the address, without anything that looks like a web address. */
export function nameFrom(email: string): string {
  const name = (email.split('@')[0] ?? '').replaceAll('.', ' ').trim()
  return (name || 'Artist').slice(0, authLimits.nameMax)
}

/** The address in a verification mail. */
export function verifyEmailUrl(publicUrl: string, token: string, email: string): string {
  return `${publicUrl}/verify-email?${new URLSearchParams({ token, email }).toString()}`
}

/** The address in a reset mail. */
export function resetPasswordUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/reset-password?${new URLSearchParams({ token }).toString()}`
}

/**
 * What to do with a Google identity. A known subject signs in. Otherwise the address decides, and only a verified one:
 * its account is linked; an unverified account whose address staff changed is taken over; without either a new one is
 * created.
 */
export function googleOutcome(
  person: { emailVerified: boolean },
  known: boolean,
  holder: { emailVerifiedAt: Date | null } | undefined,
): 'enter' | 'link' | 'take-over' | 'create' | 'refuse' {
  if (known) return 'enter'
  if (!person.emailVerified) return 'refuse'
  if (!holder) return 'create'
  return holder.emailVerifiedAt === null ? 'take-over' : 'link'
}

/** Requests from before this instant are overdue. */
export function graceCutoff(now: Date): Date {
  return new Date(now.getTime() - graceDays * 86_400_000)
}

/** Compares names without case and spaces. */
export function isSameName(typed: string, name: string): boolean {
  const plain = (text: string) => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
  return plain(typed) === plain(name)
}

/** The first match wins, so tokens that contain another's name come first. */
const browsers: readonly [RegExp, string][] = [
  [/\bInstagram\b/, "Instagram's browser"],
  [/\bFBA[NV]\//, "Facebook's browser"],
  [/\b(TikTok|musical_ly)\b/i, "TikTok's browser"],
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** Browser and system from a User-Agent; a program has its own name. */
export function deviceOf(userAgent: string): { browser: string | null; system: string | null } {
  const first = (list: readonly [RegExp, string][]) => list.find(([sign]) => sign.test(userAgent))?.[1]
  const program = /^[\w.-]{1,30}/.exec(userAgent)?.[0] ?? null
  return { browser: first(browsers) ?? (program === 'Mozilla' ? null : program), system: first(systems) ?? null }
}

/** "Firefox on Windows", as far as it is known. */
export function deviceWords(userAgent: string): string {
  const { browser, system } = deviceOf(userAgent)
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'an unknown device')
}
