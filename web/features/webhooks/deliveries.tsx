import { webhookLimits } from '@flashsheet/contracts/webhooks/limits'
import { deliveryStateLabels, webhookMessages, webhookTypeLabels } from '@flashsheet/contracts/webhooks/messages'
import type { WebhookDelivery, WebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import { Inbox } from 'lucide-react'
import { Button as RowButton } from 'react-aria-components'
import { formatScheduled, formatStamp } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { deliveryTone } from './delivery-tone.ts'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './deliveries.module.css'
import { PendingQuery } from '../parts/pending-query.tsx'

/** The poll intervals while an attempt is due within a minute, and otherwise. */
const [soonMs, idleMs] = [2000, 15_000]

/** Whether the next attempt is due within a minute. */
const isDueSoon = ({ state, nextAt }: WebhookDelivery) =>
  state === 'pending' && nextAt !== null && Date.parse(nextAt) - Date.now() < 60_000

/** The newest deliveries of an endpoint; each opens a dialog with the request and its responses. */
export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const id = endpoint._id
  const deliveries = trpc.webhooks.deliveries.useQuery(
    { id },
    { refetchInterval: ({ state }) => (state.data?.some(isDueSoon) ? soonMs : idleMs) },
  )
  const dialog = useDialog<string>()
  return (
    <Card title="Deliveries" note={`The newest ${webhookLimits.listed}, kept for ${webhookLimits.retentionDays} days.`}>
      {!deliveries.data ? (
        <PendingQuery query={deliveries} label="Loading the deliveries" failed={webhookMessages.deliveriesFailed} />
      ) : deliveries.data.length === 0 ? (
        <EmptyState variant="bare" icon={<Inbox />} title="Nothing sent yet">
          {endpoint.active ? 'Send a test to see whether your server can be reached.' : 'Switch the endpoint on first.'}
        </EmptyState>
      ) : (
        <ul aria-label="Deliveries">
          {deliveries.data.map((delivery) => (
            <DeliveryItem key={delivery._id} delivery={delivery} onOpen={() => dialog.show(delivery._id)} />
          ))}
        </ul>
      )}
      <DeliveryDialog endpoint={endpoint} deliveryId={dialog.about} open={dialog.open} onClose={dialog.close} />
    </Card>
  )
}

function DeliveryItem({ delivery, onOpen }: { delivery: WebhookDelivery; onOpen: () => void }) {
  const { type, at, attempts, state, nextAt } = delivery
  const last = attempts.at(-1)
  return (
    <li className={styles['item']}>
      <RowButton className={classes(layout['row-button'], styles['open'])} onPress={onOpen}>
        <span className={classes(layout['words'], layout['breakable-rest'])}>
          <span className={text['strong']}>{webhookTypeLabels[type]}</span>
          <span className={text['note']}>
            {formatStamp(at)}
            {last && `, ${last.status === null ? (last.error ?? '') : `answered ${last.status} after ${last.ms} ms`}`}
            {attempts.length > 1 && `, ${attempts.length} tries`}
          </span>
          {state === 'pending' && nextAt && attempts.length > 0 && (
            <span className={text['note']}>Next try {formatScheduled(nextAt)}</span>
          )}
        </span>
        <Badge tone={deliveryTone[state]}>{deliveryStateLabels[state]}</Badge>
      </RowButton>
    </li>
  )
}
