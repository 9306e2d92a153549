import { platformNames } from '@flashsheet/contracts/networks'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { RefreshCw } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { goToNetwork } from './go-to-network.ts'

export function ReconnectButton({ account }: { account: Pick<SocialAccount, 'platform' | 'providerName'> }) {
  return (
    <Button
      size="small"
      variant="ink"
      icon={<RefreshCw />}
      aria-label={`Reconnect ${platformNames[account.platform]}: ${account.providerName}`}
      onPress={() => goToNetwork(account.platform)}
    >
      Reconnect
    </Button>
  )
}
