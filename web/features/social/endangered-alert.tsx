import type { EndangeredPosts } from '@flashsheet/contracts/posts'
import { platformNames } from '@flashsheet/contracts/plain'
import { RefreshCw } from 'lucide-react'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { goToNetwork } from './connect-dialog.tsx'
import { endangeredWords } from './endangered.ts'

/** Which planned posts an account will keep from going out, and the one press that mends it. */
export function EndangeredAlert({ account }: { account: EndangeredPosts }) {
  const { title, text } = endangeredWords(account)
  const name = platformNames[account.platform]
  return (
    <Alert
      tone="warning"
      title={title}
      action={
        <Button
          size="small"
          variant="ink"
          icon={<RefreshCw aria-hidden="true" />}
          aria-label={`Reconnect ${name}: ${account.providerName}`}
          onPress={() => goToNetwork(account.platform)}
        >
          Reconnect
        </Button>
      }
    >
      {text}
    </Alert>
  )
}
