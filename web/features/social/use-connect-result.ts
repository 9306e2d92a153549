import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { Platform } from '@flashsheet/contracts/networks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { trpc } from '../../lib/trpc.ts'
import { toast } from '../../ui/toast.tsx'

/** Shows the result of connecting, which the redirect put into the URL, once, and removes it from there. */
export function useConnectResult(connected: Platform | undefined, error: string | undefined): void {
  const navigate = useNavigate()
  const utils = trpc.useUtils()
  const shownResult = useRef('')
  useEffect(() => {
    const result = connected ?? error
    if (result === undefined || shownResult.current === result) return
    shownResult.current = result
    void (async () => {
      await navigate({ to: '/social-accounts', search: {}, replace: true })
      shownResult.current = ''
      if (connected) {
        toast.success(socialMessages.connected(connected))
        await utils.social.accounts.invalidate()
      } else toast.error(error || socialMessages.connectFailed)
    })()
  }, [connected, error, navigate, utils])
}
