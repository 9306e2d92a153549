import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { Platform } from '@flashsheet/contracts/networks'
import { toast } from '../../ui/toast.tsx'
import { uploads } from '../media/uploads.ts'
import { setPendingNetwork } from './pending-network.ts'

/** Redirects to the network's login, which returns to /social-accounts. Asks for confirmation if that would interrupt an upload. */
export function goToNetwork(platform: Platform): void {
  if (uploads.running().length > 0) setPendingNetwork(platform)
  else redirectToNetwork(platform)
}

/** Redirects without asking. */
export function redirectToNetwork(platform: Platform): void {
  // Closes the dialog first, because the back/forward cache may restore the page in its last state.
  setPendingNetwork(null)
  toast.info(socialMessages.redirecting(platform))
  window.location.assign(`/api/social-connect/${platform}`)
}
