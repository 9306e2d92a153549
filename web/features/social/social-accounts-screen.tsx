import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import { socialLimits } from '@flashsheet/contracts/social/limits'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { useState, type ReactNode } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { retryInterval } from '../../lib/query-client.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loading, SkeletonBlocks } from '../../ui/skeleton.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { problemsFirst } from './account-problems.ts'
import { AccountCard } from './account-card.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { DisconnectDialog, type PageToDisconnect } from './disconnect-dialog.tsx'
import { useEndangered } from './endangered.ts'
import { NetworkIcon } from './network-icon.tsx'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './social-accounts-screen.module.css'
import { useConnectResult } from './use-connect-result.ts'
import { RetryAlert } from '../parts/retry-alert.tsx'

/** As long as the sentence for a full list, so that loading the lists shifts nothing. */
const connectHint = 'You log in at the network itself. Flashsheet never sees your password there.'

/** The server copies pictures within seconds of a connection, so later polls would find nothing new. */
const maxPicturePolls = 5
const picturePollMs = 2000
const isPictureMissing = ({ pages }: SocialAccount) => pages.some(({ picture }) => picture === null)

export function SocialAccountsScreen({
  connected,
  error,
  returnLink,
}: {
  connected: Platform | undefined
  error: string | undefined
  /** A link back to the unsent post, shown once an account is connected. */
  returnLink: ReactNode
}) {
  useConnectResult(connected, error)
  const platforms = trpc.social.platforms.useQuery()
  const accounts = trpc.social.accounts.useQuery(undefined, {
    refetchInterval: (query) =>
      retryInterval(query) ||
      (query.state.dataUpdateCount <= maxPicturePolls && query.state.data?.some(isPictureMissing)
        ? picturePollMs
        : false),
  })
  const connectDialog = useDialog<Platform>()
  const disconnectDialog = useDialog<PageToDisconnect>()
  /** At the first display, so that nothing changes its place under a finger. */
  const [wasFull, setWasFull] = useState<boolean>()

  const failed = platforms.error ?? accounts.error
  if (failed && !(platforms.data && accounts.data)) {
    const failure = failureOf(failed, socialMessages.loadFailed)
    return (
      <RetryAlert
        live
        failure={failure}
        onRetry={() => void Promise.all([platforms.refetch(), accounts.refetch()])}
        pending={platforms.isFetching || accounts.isFetching}
      />
    )
  }
  if (!platforms.data || !accounts.data) return <Pending />

  const isFull = accounts.data.length >= socialLimits.accounts
  if (wasFull === undefined) setWasFull(isFull)
  const networks = (
    <section key="networks" aria-labelledby="connect-title">
      <h2 id="connect-title" className={text['title']}>
        Connect an account
      </h2>
      <p className={styles['note']}>
        {isFull
          ? `All ${socialLimits.accounts} places are taken. Disconnect an account to make room for another.`
          : connectHint}
      </p>
      <ul className={classes(layout['stack-3'], styles['networks'])}>
        {platforms.data.map(({ _id, platform }) => {
          // At the limit of accounts, only networks with a connected account can be reconnected.
          const isClosed = isFull && !accounts.data.some((account) => account.platform === platform)
          return (
            <li key={_id}>
              <Button
                wide
                icon={<NetworkIcon platform={platform} />}
                isDisabled={isClosed}
                onPress={() => connectDialog.show(platform)}
              >
                {!isFull
                  ? `Connect ${platformNames[platform]}`
                  : isClosed
                    ? `${platformNames[platform]}: ${accounts.data.length}/${socialLimits.accounts} places taken`
                    : `Reconnect ${platformNames[platform]}`}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
  const list = (
    <section key="accounts" aria-labelledby="accounts-title">
      <h2 id="accounts-title" className={text['title']}>
        Connected Accounts ({accounts.data.length}/{socialLimits.accounts})
      </h2>
      <AccountList accounts={accounts.data} onDisconnect={disconnectDialog.show} />
    </section>
  )
  return (
    <div className={styles['screen']}>
      {accounts.data.length > 0 && returnLink}
      {/* At the limit nothing can be connected, and on a phone the networks would fill the screen. */}
      {wasFull ? [list, networks] : [networks, list]}
      <ConnectDialog
        platform={connectDialog.about ?? 'facebook'}
        open={connectDialog.open}
        onClose={connectDialog.close}
      />
      <DisconnectDialog target={disconnectDialog.about} open={disconnectDialog.open} onClose={disconnectDialog.close} />
    </div>
  )
}

function AccountList({
  accounts,
  onDisconnect,
}: {
  accounts: readonly SocialAccount[]
  onDisconnect: (leaving: PageToDisconnect) => void
}) {
  const endangered = useEndangered()
  if (accounts.length === 0) {
    return (
      <div className={styles['accounts']}>
        <EmptyState title={socialMessages.noneConnected}>
          <p>Connect a network. Its pages then show up here and in New Post.</p>
        </EmptyState>
      </div>
    )
  }
  return (
    <ul className={classes(layout['stack-4'], styles['accounts'])}>
      {problemsFirst(accounts).map((account) => (
        <AccountCard
          key={account._id}
          account={account}
          endangered={endangered.find((one) => one.socialAccountId === account._id)}
          onDisconnect={(page) => onDisconnect({ account, page })}
        />
      ))}
    </ul>
  )
}

function Pending() {
  return (
    <Loading label="Loading accounts...">
      <div className={styles['screen']}>
        <section>
          <h2 className={text['title']}>Connect an account</h2>
          <p className={styles['note']}>{connectHint}</p>
          <div className={classes(layout['stack-3'], styles['networks'])}>
            <SkeletonBlocks count={5} frame={styles['button-ghost']} />
          </div>
        </section>
        <section>
          <h2 className={text['title']}>Connected Accounts</h2>
          <div className={classes(layout['stack-4'], styles['accounts'])}>
            <SkeletonBlocks count={2} frame={styles['ghost']} />
          </div>
        </section>
      </div>
    </Loading>
  )
}
