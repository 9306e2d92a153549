import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { Platform } from '@flashsheet/contracts/networks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { trpc } from '../../lib/trpc.ts'
import { toast } from '../../ui/toast.tsx'

/** Shows the result of a network's redirect once, and removes it from the address. */
export function useConnectResult(connected: Platform | undefined, error: string | undefined): void {
  const navigate = useNavigate()
  const utils = trpc.useUtils()
  const said = useRef('')
  useEffect(() => {
    const result = connected ?? error
    if (result === undefined || said.current === result) return
    said.current = result
    void (async () => {
      await navigate({ to: '/social-accounts', search: {}, replace: true })
      said.current = ''
      if (connected) {
        toast.success(socialMessages.connected(connected))
        await utils.social.accounts.invalidate()
      } else toast.error(error || socialMessages.connectFailed)
    })()
  }, [connected, error, navigate, utils])
}
