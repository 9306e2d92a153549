import type { Session } from '@flashsheet/contracts/auth/schema'

/** "Firefox on Windows", or only the part that is known. */
export function deviceName({ browser, system }: Pick<Session, 'browser' | 'system'>): string {
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'an unknown device'
}
