import type { EndangeredPosts } from '@flashsheet/contracts/posts/schema'
import { Link } from '@tanstack/react-router'
import { Alert } from '../../ui/alert.tsx'
import styles from './endangered-alert.module.css'
import { endangeredSummary, endangeredText } from './endangered.ts'
import { ReconnectButton } from './reconnect-button.tsx'

/** Warns about scheduled posts that will fail because of an account, with a button to reconnect it. */
export function EndangeredAlert({ account }: { account: EndangeredPosts }) {
  const { title, text } = endangeredText(account)
  return (
    <Alert tone="warning" title={title} action={<ReconnectButton account={account} />}>
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
