import type { SystemHealth } from '@flashsheet/contracts/admin/schema'
import { platformNames } from '@flashsheet/contracts/networks'
import { formatBytes, formatShortDay, formatStamp } from '../../../lib/format.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { Loading, SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { daysUntil, type HealthLevel, levelOfAge, levelOfDisk, relativeTime } from '../parts/relative-time.ts'
import { AuditLog } from './audit-log.tsx'
import { Facts } from '../parts/facts.tsx'
import { LoadFailed } from '../../parts/pending-query.tsx'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import styles from './settings-screen.module.css'

/** The health of the system, polled every 15 seconds, and the audit log. */
export function SettingsScreen() {
  const health = trpc.admin.health.useQuery(undefined, { refetchInterval: 15_000 })
  return (
    <div className={layout['stack-5']}>
      {health.error && <LoadFailed query={health} failed="Failed to load the system's health" />}
      {health.data ? <Health health={health.data} /> : !health.error && <Pending />}
      {/* Requested at once, but hidden until the section above has its height, to avoid a layout shift. */}
      <div hidden={!health.data && !health.error}>
        <AuditLog />
      </div>
    </div>
  )
}

function HealthBadge({ level }: { level: HealthLevel }) {
  if (level === 'good') return <Badge tone="success">OK</Badge>
  return level === 'warning' ? <Badge tone="warning">Warning</Badge> : <Badge tone="danger">Problem</Badge>
}

const minuteMs = 60_000

function Health({ health }: { health: SystemHealth }) {
  const now = useNow()
  const { queue, lateTargets, publishingStopped, webhook, mail, networks, versions, storage, disk } = health
  return (
    <div className={classes(layout['columns'], styles['grid'])}>
      <Card
        title="Queue"
        note="Jobs that are due"
        aside={<HealthBadge level={queue.failed > 0 ? 'warning' : levelOfAge(queue.oldest, now, 5 * minuteMs)} />}
      >
        <Facts
          rows={[
            ['Depth', queue.waiting.toLocaleString('en-US')],
            ['Oldest job', relativeTime(queue.oldest, now)],
            ['Failed in the last day', queue.failed.toLocaleString('en-US')],
            ...queue.queues.map((one) => [one.name, `${one.waiting} waiting, ${one.failed} failed`] as const),
          ]}
        />
      </Card>
      <Card
        title="Publishing"
        note="Overdue pages, and mail"
        aside={
          <HealthBadge
            level={publishingStopped || lateTargets.count > 0 ? 'error' : levelOfAge(mail.oldest, now, 10 * minuteMs)}
          />
        }
      >
        <Facts
          rows={[
            publishingStopped && [
              'Stopped',
              'The database is older than what was published from it. Run pnpm restored (docs/operating.md, "Restoring a backup").',
            ],
            ['Late targets', lateTargets.count.toLocaleString('en-US')],
            ['Oldest of them', relativeTime(lateTargets.oldest, now)],
            ['Mails not sent yet', mail.waiting.toLocaleString('en-US')],
            ['None sent since', relativeTime(mail.oldest, now)],
          ]}
        />
      </Card>
      <Card
        title="Stripe"
        note="Events from its webhook"
        aside={<HealthBadge level={levelOfAge(webhook.oldestWaiting, now, 5 * minuteMs)} />}
      >
        <Facts
          rows={[
            ['Last webhook', relativeTime(webhook.newest, now)],
            ['Waiting to be processed', webhook.waiting.toLocaleString('en-US')],
            ['Oldest of them', relativeTime(webhook.oldestWaiting, now)],
          ]}
        />
      </Card>
      <Card
        title="Networks"
        note="Pages in the last seven days"
        aside={<HealthBadge level={networks.some(({ failed, posted }) => failed > posted) ? 'warning' : 'good'} />}
      >
        <Facts
          rows={networks.map((one) => [
            platformNames[one.platform],
            one.available
              ? `${one.posted.toLocaleString('en-US')} posted, ${one.failed.toLocaleString('en-US')} failed`
              : 'Not set up',
          ])}
        />
      </Card>
      <Card
        title="API versions"
        note="When each version ends"
        aside={<HealthBadge level={versions.some(({ ends }) => daysUntil(ends, now) < 60) ? 'warning' : 'good'} />}
      >
        <Facts
          rows={versions.map((one) => [
            one.name,
            `${one.version}, ${one.ends ? `ends ${formatShortDay(`${one.ends}T12:00`)}` : 'no end announced'}`,
          ])}
        />
      </Card>
      <Card
        title="Storage"
        note={storage.kind === 'disk' ? 'On this machine' : 'In a bucket'}
        aside={disk && <HealthBadge level={levelOfDisk(disk)} />}
      >
        <Facts
          rows={[
            ['Originals', formatBytes(storage.mediaBytes)],
            ['Database', formatBytes(storage.databaseBytes)],
            disk && ['Free on the disk', `${formatBytes(disk.freeBytes)} of ${formatBytes(disk.totalBytes)}`],
            disk && [
              levelOfDisk(disk) === 'error' ? 'Uploads are closed below' : 'Uploads end below',
              formatBytes(disk.reserveBytes),
            ],
            ['Checked at', formatStamp(health.checkedAt)],
          ]}
        />
      </Card>
    </div>
  )
}

function Pending() {
  return (
    <Loading label="Checking the system">
      <div className={classes(layout['columns'], styles['grid'])}>
        <SkeletonBlocks count={6} frame={styles['ghost']} />
      </div>
    </Loading>
  )
}
