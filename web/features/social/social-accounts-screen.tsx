import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import { socialLimits } from '@flashsheet/contracts/social/limits'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { useState, type ReactNode } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { problemsFirst } from './account-problems.ts'
import { AccountCard } from './account-card.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { DisconnectDialog, type PageToDisconnect } from './disconnect-dialog.tsx'
import { useEndangered } from './endangered.ts'
import { NetworkIcon } from './network-icon.tsx'
import styles from './social-accounts-screen.module.css'
import { useConnectResult } from './use-connect-result.ts'

/** Milliseconds the two lists count as fresh. */
const fresh = 5000

/** As long as the sentence of a full list, so that nothing moves when the lists arrive. */
const invitation = 'You log in at the network itself. Flashsheet never sees your password there.'

/** A picture is copied within seconds of a consent; one that has not come by then is not waited for. */
const mostPictureLooks = 5
const pictureLookMs = 2000
const lacksPicture = ({ pages }: SocialAccount) => pages.some(({ picture }) => picture === null)

/** /social-accounts: connect buttons, the accounts with their pages, both modals. */
export function SocialAccountsScreen({
  connected,
  error,
  wayBack,
}: {
  connected: Platform | undefined
  error: string | undefined
  /** Once an account is connected: where the artist came from to connect it. */
  wayBack: ReactNode
}) {
  useConnectResult(connected, error)
  const platforms = trpc.social.platforms.useQuery(undefined, { staleTime: fresh })
  const accounts = trpc.social.accounts.useQuery(undefined, {
    staleTime: fresh,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      dataUpdateCount <= mostPictureLooks && data?.some(lacksPicture) ? pictureLookMs : false,
  })
  // What a dialog is about outlives its closing, so that it can leave with its words and give the focus back.
  const [connecting, setConnecting] = useState<{ platform: Platform; open: boolean }>({
    platform: 'facebook',
    open: false,
  })
  const [leaving, setLeaving] = useState<{ what: PageToDisconnect | null; open: boolean }>({ what: null, open: false })

  const failed = platforms.error ?? accounts.error
  if (failed && !(platforms.data && accounts.data)) {
    const failure = failureOf(failed, socialMessages.loadFailed)
    return (
      <Alert
        tone="danger"
        live
        title={failure.message}
        action={
          <Button
            size="small"
            onPress={() => void Promise.all([platforms.refetch(), accounts.refetch()])}
            pending={platforms.isFetching || accounts.isFetching}
          >
            Try again
          </Button>
        }
      >
        {failure.detail}
      </Alert>
    )
  }
  if (!platforms.data || !accounts.data) return <Pending />

  const isFull = accounts.data.length >= socialLimits.accounts
  return (
    <div className={styles['screen']}>
      {accounts.data.length > 0 && wayBack}
      <section aria-labelledby="connect-title">
        <h2 id="connect-title" className={styles['heading']}>
          Connect an account
        </h2>
        <p className={styles['note']}>
          {isFull
            ? `All ${socialLimits.accounts} places are taken. Disconnect an account to make room for another.`
            : invitation}
        </p>
        <ul className={styles['networks']}>
          {platforms.data.map(({ _id, platform }) => {
            // With the places taken only what is there can be connected again.
            const isClosed = isFull && !accounts.data.some((account) => account.platform === platform)
            return (
              <li key={_id}>
                <Button
                  wide
                  icon={<NetworkIcon platform={platform} />}
                  isDisabled={isClosed}
                  onPress={() => setConnecting({ platform, open: true })}
                >
                  {isClosed
                    ? `${platformNames[platform]}: ${accounts.data.length}/${socialLimits.accounts} places taken`
                    : `Connect ${platformNames[platform]}`}
                </Button>
              </li>
            )
          })}
        </ul>
      </section>
      <section aria-labelledby="accounts-title">
        <h2 id="accounts-title" className={styles['heading']}>
          Connected Accounts ({accounts.data.length}/{socialLimits.accounts})
        </h2>
        <AccountList accounts={accounts.data} onDisconnect={(what) => setLeaving({ what, open: true })} />
      </section>
      <ConnectDialog {...connecting} onClose={() => setConnecting({ ...connecting, open: false })} />
      <DisconnectDialog
        leaving={leaving.what}
        open={leaving.open}
        onClose={() => setLeaving({ ...leaving, open: false })}
      />
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
      <div className={styles['empty']}>
        <EmptyState title={socialMessages.noneConnected}>
          <p>Pick a network above. Its pages then show up here and in New Post.</p>
        </EmptyState>
      </div>
    )
  }
  return (
    <ul className={styles['accounts']}>
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
          <h2 className={styles['heading']}>Connect an account</h2>
          <p className={styles['note']}>{invitation}</p>
          <div className={styles['networks']}>
            {['one', 'two', 'three', 'four', 'five'].map((key) => (
              <span key={key} className={styles['button-ghost']}>
                <Skeleton shape="block" />
              </span>
            ))}
          </div>
        </section>
        <section>
          <h2 className={styles['heading']}>Connected Accounts</h2>
          <div className={styles['accounts']}>
            <div className={styles['ghost']}>
              <Skeleton shape="block" />
            </div>
            <div className={styles['ghost']}>
              <Skeleton shape="block" />
            </div>
          </div>
        </section>
      </div>
    </Loading>
  )
}
