import { authLimits, graceDays } from '@flashsheet/contracts/auth/limits'
import type { UserRow } from './queries.ts'

/** Purpose under which the six-digit code of a verification mail is derived from the hash of its token. */
export const codePurpose = 'verification-code'

/** The maximum minutes of a sign-in at Google. */
export const signInMinutes = 10

/** Days from the expiry of a link to its deletion. */
export const expiredLinkDays = 1

/** The maximum of unverified registrations per address; beyond it the oldest is deleted. */
export const maxRegistrations = 5

/** Days until an unverified registration is deleted. */
export const registrationDays = 30

/**
 * Whether ADMIN_EMAIL makes this user staff at this log-in. The mailbox must be verified. The setting applies once, and
 * never after staff have removed the right.
 */
export function isAdminBySetting(
  user: Pick<UserRow, 'email' | 'emailVerifiedAt' | 'isAdmin' | 'adminSettingUsedAt' | 'deletionAskedAt'>,
  adminEmail: string | undefined,
): boolean {
  return (
    user.email === adminEmail &&
    user.emailVerifiedAt !== null &&
    !user.isAdmin &&
    user.adminSettingUsedAt === null &&
    user.deletionAskedAt === null
  )
}

/** The default name: the local part of the address, without dots, so that it is not taken for a web address. */
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
 * What to do with a Google identity. A linked one signs in. Otherwise Google must have verified the address: its account
 * is linked; an account to which staff gave the address, still unverified, is taken over; without either a new account
 * is created.
 */
export function googleOutcome(
  person: { emailVerified: boolean },
  isLinked: boolean,
  account: { emailVerifiedAt: Date | null } | undefined,
): 'sign-in' | 'link' | 'take-over' | 'create' | 'refuse' {
  if (isLinked) return 'sign-in'
  if (!person.emailVerified) return 'refuse'
  if (!account) return 'create'
  return account.emailVerifiedAt === null ? 'take-over' : 'link'
}

/** The grace period of deletions requested before this instant has ended. */
export function graceCutoff(now: Date): Date {
  return new Date(now.getTime() - graceDays * 86_400_000)
}

/** Compares names without case and spaces. */
export function isSameName(typed: string, name: string): boolean {
  const normalize = (text: string) => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
  return normalize(typed) === normalize(name)
}

/** The first match wins. A browser whose User-Agent also names another browser comes before that one. */
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
  const firstMatch = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const program = /^[\w.-]{1,30}/.exec(userAgent)?.[0] ?? null
  return {
    browser: firstMatch(browsers) ?? (program === 'Mozilla' ? null : program),
    system: firstMatch(systems) ?? null,
  }
}

/** "Firefox on Windows", or as much of it as is known. */
export function deviceLabel(userAgent: string): string {
  const { browser, system } = deviceOf(userAgent)
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'an unknown device')
}
