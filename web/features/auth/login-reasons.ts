import { loginMessages } from '@flashsheet/contracts/login/messages'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { socialMessages } from '@flashsheet/contracts/social/messages'

const ownMessages: readonly string[] = [
  ...Object.values(authMessages),
  ...Object.values(loginMessages),
  ...Object.values(errorMessages),
  socialMessages.loginFirst,
]

/** The `error` parameter of /login. Anybody can craft a link, so any text other than our own messages is replaced. */
export function knownReason(reason: string): string {
  return ownMessages.includes(reason) ? reason : errorMessages.unknown
}
