import type { EndangeredPosts } from '@flashsheet/contracts/posts/schema'
import { platformNames } from '@flashsheet/contracts/networks'
import { Link } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { goToNetwork } from './go-to-network.ts'
import styles from './endangered-alert.module.css'
import { endangeredSummary, endangeredText } from './endangered.ts'

/** Warns about scheduled posts that will fail because of an account, with a button to reconnect it. */
export function EndangeredAlert({ account }: { account: EndangeredPosts }) {
  const { title, text } = endangeredText(account)
  const name = platformNames[account.platform]
  return (
    <Alert
      tone="warning"
      title={title}
      action={
        <Button
          size="small"
          variant="ink"
          icon={<RefreshCw />}
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

/** The same for all accounts in a single note, which leaves more room for the calendar below it. */
export function EndangeredNote({ accounts }: { accounts: readonly EndangeredPosts[] }) {
  const [first] = accounts
  if (!first) return null
  if (accounts.length === 1) return <EndangeredAlert account={first} />
  const { beforeLink, linkText, afterLink } = endangeredSummary(accounts)
  return (
    <Alert tone="warning">
      {beforeLink}{' '}
      <Link to="/social-accounts" className={styles['ask']}>
        {linkText}
      </Link>
      {afterLink}
    </Alert>
  )
}
