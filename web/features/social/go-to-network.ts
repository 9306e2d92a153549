import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { Platform } from '@flashsheet/contracts/networks'
import { toast } from '../../ui/toast.tsx'
import { uploads } from '../media/uploads.ts'
import { askAbout } from './asked-network.ts'

/** Leaves the app for the network's own login, which comes back to /social-accounts; asks first where that would cut an upload. */
export function goToNetwork(platform: Platform): void {
  if (uploads.underWay().length > 0) askAbout(platform)
  else leaveForNetwork(platform)
}

/** Leaves at once, whatever is under way. */
export function leaveForNetwork(platform: Platform): void {
  // Forgotten first: a browser that comes back to this very page finds it as it was.
  askAbout(null)
  toast.info(socialMessages.redirecting(platform))
  window.location.assign(`/api/social-connect/${platform}`)
}
