import { authMessages } from '@flashsheet/contracts/auth/messages'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { socialMessages } from '@flashsheet/contracts/social/messages'

const ours: readonly string[] = [
  ...Object.values(authMessages),
  ...Object.values(errorMessages),
  socialMessages.loginFirst,
]

/** Why somebody was sent to /login, from the address. Anybody can write a link, so only our own sentences are shown. */
export function reasonShown(reason: string): string {
  return ours.includes(reason) ? reason : errorMessages.unknown
}
