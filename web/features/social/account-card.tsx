import type { EndangeredPosts } from '@flashsheet/contracts/posts/schema'
import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import type { SocialAccount, SocialPage } from '@flashsheet/contracts/social/schema'
import { TriangleAlert } from 'lucide-react'
import { formatDay } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { accountProblem } from './account-problems.ts'
import text from '../../ui/text.module.css'
import layout from '../../ui/layout.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './account-card.module.css'
import { EndangeredAlert } from './endangered-alert.tsx'
import { NetworkIcon } from './network-icon.tsx'
import { handleOf, HandleText } from './page-handle.tsx'
import { PagePicture } from './page-picture.tsx'
import { ReconnectButton } from './reconnect-button.tsx'

type AccountCardProps = {
  account: SocialAccount
  /** Its scheduled posts that will fail unless it is reconnected. */
  endangered: EndangeredPosts | undefined
  onDisconnect: (page: SocialPage) => void
}

/** An account and its pages, each with a Disconnect button. */
export function AccountCard({ account, endangered, onDisconnect }: AccountCardProps) {
  const name = platformNames[account.platform]
  const problem = accountProblem(account)
  return (
    <li className={classes(layout['sheet'], styles['card'])} aria-label={`${name}: ${account.providerName}`}>
      <header className={classes(layout['row-3'], styles['head'])}>
        <span className={styles['sign']}>
          <NetworkIcon platform={account.platform} />
        </span>
        <div className={styles['who']}>
          <h3 className={text['lead']}>{name}</h3>
          <p className={classes(text['muted'], text['breakable'])}>{account.providerName}</p>
        </div>
        {!problem && <Badge tone="posted">Connected</Badge>}
        {problem && (
          <div className={styles['mend']}>
            <Badge tone={account.health === 'reconnect' ? 'danger' : 'warning'} icon={<TriangleAlert />}>
              {problem}
            </Badge>
            {!endangered && <ReconnectButton account={account} />}
          </div>
        )}
      </header>
      {endangered && (
        <div className={styles['danger']}>
          <EndangeredAlert account={endangered} />
        </div>
      )}
      <ul>
        {account.pages.map((page) => (
          <li key={page.pageId} className={styles['page']}>
            <span className={styles['picture']}>
              <PagePicture platform={account.platform} name={page.name} picture={page.picture} />
            </span>
            <div className={styles['title']}>
              <p className={text['strong']}>{page.name}</p>
              <Handle platform={account.platform} username={page.username} />
            </div>
            <dl className={classes(text['note'], styles['details'])}>
              <div>
                <dt>Since</dt>
                <dd>
                  {page.connectedAt ? (
                    <time dateTime={page.connectedAt}>{formatDay(page.connectedAt)}</time>
                  ) : (
                    'Unknown'
                  )}
                </dd>
              </div>
            </dl>
            <span className={styles['action']}>
              <Button size="small" aria-label={`Disconnect ${page.name}, ${name}`} onPress={() => onDisconnect(page)}>
                Disconnect
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </li>
  )
}

function Handle({ platform, username }: { platform: Platform; username: string | null }) {
  const handle = handleOf(platform, username)
  return (
    handle && (
      <p className={text['note']}>
        <HandleText handle={handle} />
      </p>
    )
  )
}
