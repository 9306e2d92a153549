import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { Platform } from '@flashsheet/contracts/networks'
import { toast } from '../../ui/toast.tsx'
import { uploads } from '../media/uploads.ts'
import { askAbout } from './asked-network.ts'

/** Redirects to the network's login, which returns to /social-accounts. Asks first if that would interrupt an upload. */
export function goToNetwork(platform: Platform): void {
  if (uploads.underWay().length > 0) askAbout(platform)
  else leaveForNetwork(platform)
}

/** Redirects without asking. */
export function leaveForNetwork(platform: Platform): void {
  // Closes the dialog first: the back/forward cache may restore this page as it was left.
  askAbout(null)
  toast.info(socialMessages.redirecting(platform))
  window.location.assign(`/api/social-connect/${platform}`)
}
