import { adminMessages } from '@flashsheet/contracts/admin/messages'
import type { ArtistDetail } from '@flashsheet/contracts/admin/schema'
import { statusNames as appointmentStatusNames } from '@flashsheet/contracts/appointments/messages'
import { platformNames } from '@flashsheet/contracts/networks'
import { plans } from '@flashsheet/contracts/plans'
import { zoneParts } from '@flashsheet/contracts/time'
import { ExternalLink, UserX } from 'lucide-react'
import { formatBytes, formatScheduled, formatShortDay } from '../../../lib/format.ts'
import { failureOf } from '../../../lib/failure.ts'
import { retryInterval } from '../../../lib/query-client.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { ButtonAnchor, ButtonLink } from '../../../ui/button-link.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { statusLabels } from '../../posts/calendar/calendar-entries.ts'
import { NetworkIcon } from '../../social/network-icon.tsx'
import { StatusBadge } from '../../subscription/status-badge.tsx'
import { ActivityBadge } from '../parts/activity-badge.tsx'
import { ArtistAccountCard } from './artist-account-card.tsx'
import layout from '../../../ui/layout.module.css'
import text from '../../../ui/text.module.css'
import { classes } from '../../../ui/classes.ts'
import styles from './artist-screen.module.css'
import { Facts } from '../parts/facts.tsx'
import { OrderAmount } from '../parts/order-amount.tsx'
import { PendingQuery } from '../../parts/pending-query.tsx'
import { actionNames, nameOf } from '../parts/labels.ts'

export function ArtistScreen({ id }: { id: string }) {
  const artist = trpc.admin.user.useQuery(
    { id },
    {
      // A deletion runs in a job, so poll the artist until they are deleted.
      refetchInterval: ({ state }) =>
        retryInterval({ state }) || (state.error === null && state.data?.deletion === 'running' ? 2000 : false),
    },
  )
  // A 404 must replace cached data, such as after another admin deleted the artist. An id that is not a UUID is refused as invalid.
  if (artist.error && ['notFound', 'invalid'].includes(failureOf(artist.error, '').code)) return <ArtistNotFound />
  if (artist.data) return <Artist artist={artist.data} />
  return (
    <PendingQuery query={artist} label="Loading the artist" failed="Failed to load the artist">
      <div className={layout['stack-5']}>
        <SkeletonBlocks count={4} frame={styles['ghost']} />
      </div>
    </PendingQuery>
  )
}

function ArtistNotFound() {
  return (
    <EmptyState
      icon={<UserX />}
      title={adminMessages.userGone}
      action={
        <ButtonLink to="/admin/users" variant="primary">
          All artists
        </ButtonLink>
      }
    >
      <p>Orders stay in Recent Orders, and what staff did stays in the audit log.</p>
    </EmptyState>
  )
}

function Artist({ artist }: { artist: ArtistDetail }) {
  return (
    <div className={layout['stack-5']}>
      <header className={styles['head']}>
        <Avatar name={artist.name} size="large" />
        <div className={styles['who']}>
          <h2 className={styles['name']}>{nameOf(artist)}</h2>
          <p className={classes(text['muted'], text['breakable'])}>{artist.email}</p>
        </div>
        <p className={layout['row-2']}>
          <ActivityBadge user={artist} />
          {artist.isAdmin && <Badge tone="ready">Admin</Badge>}
          {!artist.isEmailVerified && <Badge tone="warning">Address not verified</Badge>}
        </p>
      </header>
      <div className={layout['columns']}>
        <Card title="Profile">
          <Facts
            rows={[
              ['Phone Number', artist.phone ?? '—'],
              ['Location', artist.location ?? '—'],
              ['Time zone', zoneParts(artist.timeZone).join('/')],
              ['Signup Date', formatScheduled(artist.createdAt)],
              ['Media', `${artist.media.items} items, ${formatBytes(artist.media.bytes)}`],
            ]}
          />
        </Card>
        <Subscription artist={artist} />
        <Accounts accounts={artist.accounts} />
        <Posts posts={artist.posts} />
        <Site artist={artist} />
        <ArtistAccountCard artist={artist} />
      </div>
    </div>
  )
}

function Subscription({ artist }: { artist: ArtistDetail }) {
  const { subscription, orders, stripeUrl } = artist
  return (
    <Card
      title="Subscription"
      aside={
        stripeUrl && (
          <ButtonAnchor href={stripeUrl} target="_blank" rel="noopener noreferrer" size="small" icon={<ExternalLink />}>
            Open at Stripe
          </ButtonAnchor>
        )
      }
    >
      {subscription ? (
        <Facts
          rows={[
            ['Plan', plans[subscription.plan].name],
            ['Status', <StatusBadge key="status" status={subscription.status} />],
            [
              subscription.cancelAtPeriodEnd ? 'Ends' : 'Next billing',
              subscription.currentPeriodEnd ? formatShortDay(subscription.currentPeriodEnd) : '—',
            ],
          ]}
        />
      ) : (
        <p className={text['muted']}>Never subscribed.</p>
      )}
      {orders.length > 0 && (
        <ul className={styles['lines']} aria-label="Newest orders">
          {orders.map((order) => (
            <li key={order._id} className={styles['line']}>
              <span>{actionNames[order.action]}</span>
              <span className={text['note']}>{formatShortDay(order.createdAt)}</span>
              <span className={styles['end']}>
                <OrderAmount order={order} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Accounts({ accounts }: { accounts: ArtistDetail['accounts'] }) {
  return (
    <Card title="Social accounts">
      {accounts.length === 0 && <p className={text['muted']}>No accounts connected.</p>}
      <ul className={styles['lines']}>
        {accounts.map((account) => (
          <li key={account._id} className={styles['line']}>
            <NetworkIcon platform={account.platform} />
            <span className={layout['words']}>
              {account.providerName}
              <span className={text['note']}>
                {platformNames[account.platform]}, {account.pages === 1 ? '1 page' : `${account.pages} pages`}
              </span>
            </span>
            <span className={styles['end']}>
              <Badge tone={account.health === 'ok' ? 'success' : 'danger'}>
                {account.health === 'ok' ? 'Healthy' : 'Reconnect needed'}
              </Badge>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Posts({ posts }: { posts: ArtistDetail['posts'] }) {
  return (
    <Card title="Posts" note={`${posts.scheduled} scheduled, ${posts.posted} posted, ${posts.failed} failed`}>
      {posts.recent.length === 0 && <p className={text['muted']}>No posts yet.</p>}
      <ul className={styles['lines']}>
        {posts.recent.map((post) => (
          <li key={post._id} className={styles['line']}>
            <span className={layout['words']}>
              <span className={classes(text['one-line'], styles['title'])}>{post.title}</span>
              <span className={text['note']}>{formatScheduled(post.scheduledAt)}</span>
              {post.errorMessage && <span className={text['note']}>{post.errorMessage}</span>}
            </span>
            <span className={styles['end']}>
              <Badge tone={post.status}>{statusLabels[post.status]}</Badge>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Site({ artist }: { artist: ArtistDetail }) {
  const { site, appointments } = artist
  return (
    <Card
      title="Website and bookings"
      aside={
        site?.isPublic && (
          <ButtonAnchor href={site.url} target="_blank" rel="noopener noreferrer" size="small" icon={<ExternalLink />}>
            Open site
          </ButtonAnchor>
        )
      }
    >
      <Facts
        rows={[
          ['Site', site ? site.domainName : 'None yet'],
          site && [
            'Public',
            <Badge key="public" tone={site.isPublic ? 'success' : 'neutral'}>
              {site.isPublic ? 'Published' : 'Hidden'}
            </Badge>,
          ],
          ...(['pending', 'confirmed', 'completed', 'cancelled'] as const).map(
            (status) => [`${appointmentStatusNames[status]} appointments`, appointments[status]] as const,
          ),
        ]}
      />
    </Card>
  )
}
