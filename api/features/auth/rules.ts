import { authLimits, graceDays } from '@flashsheet/contracts/auth/limits'
import type { LinkPurpose, UserRow } from './queries.ts'

/** Hours a mailed link lives; a reset's is the shortest, as it opens the account. */
export const linkHours: Record<LinkPurpose, number> = { verify_email: 24, change_email: 24, reset_password: 1 }

/** Minutes a sign-in at Google may take. */
export const signInMinutes = 10

/** Days ended links and sign-ins stay before they are cleared away. */
export const keptDays = 1

/** How many may have registered with one address and not verified it; of more the oldest is forgotten. */
export const registrationsKept = 5

/** Days after which who registered and never verified is forgotten. */
export const registrationDays = 30

/**
 * Whether ADMIN_EMAIL makes this person staff, now that they have logged in: the mailbox is proven, and neither did the setting do it before nor
 * staff take the right away.
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

/** What a person is called who gave no name of their own: what stands before the @, without what could be read as an address of the web. */
export function nameFrom(email: string): string {
  const name = (email.split('@')[0] ?? '').replaceAll('.', ' ').trim()
  return (name || 'Artist').slice(0, authLimits.nameMax)
}

/** Where the link of a verification mail leads. */
export function verifyEmailUrl(publicUrl: string, token: string, email: string): string {
  return `${publicUrl}/verify-email?${new URLSearchParams({ token, email }).toString()}`
}

/** Where the link of a reset mail leads. */
export function resetPasswordUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/reset-password?${new URLSearchParams({ token }).toString()}`
}

/**
 * What becomes of somebody Google has just named. Known by the subject: signed in. Else the address decides, and only one Google has
 * verified: its account is linked; one whose address staff changed and nobody has proven yet is taken over; without either a new one is made.
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

/** What was asked for before this is due. */
export function graceEnds(now: Date): Date {
  return new Date(now.getTime() - graceDays * 86_400_000)
}

/** Names typed from memory: case and spaces do not matter. */
export function isSameName(typed: string, name: string): boolean {
  const plain = (text: string) => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
  return plain(typed) === plain(name)
}

/** The first that fits; those that carry another's name come before it. */
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

/** Browser and system by what a browser says of itself; a program is called what it calls itself. */
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
