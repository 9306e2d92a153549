import { webhookLimits } from '@flashsheet/contracts/webhooks/limits'
import { deliveryStateLabels, disabledReasonLabels, webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { WebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import { Link } from '@tanstack/react-router'
import { ChevronRight, Webhook } from 'lucide-react'
import { failureOf } from '../../lib/failure.ts'
import { formatScheduled } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { EndpointDialog } from './endpoint-dialog.tsx'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './webhook-endpoints.module.css'
import { PendingQuery } from '../parts/pending-query.tsx'

export function WebhookEndpoints() {
  // The route's loader has made the request. After an error it must not be repeated at once.
  const endpoints = trpc.webhooks.list.useQuery(undefined, { retryOnMount: false })
  const addDialog = useDialog()
  const failure = endpoints.error && !endpoints.data && failureOf(endpoints.error, webhookMessages.loadFailed)
  const isFull = (endpoints.data?.length ?? 0) >= webhookLimits.endpointsPerArtist
  const addButton = (
    <Button isDisabled={!endpoints.data || isFull} onPress={() => addDialog.show()}>
      Add an endpoint
    </Button>
  )
  return (
    <>
      <Card
        title="Webhooks"
        note="When something happens here, we call your server: a post is out, an account needs you, somebody asks for an appointment."
        foot={endpoints.data && endpoints.data.length > 0 && addButton}
      >
        {failure && ['no_subscription', 'plan'].includes(failure.code) ? (
          <EmptyState
            variant="bare"
            icon={<Webhook />}
            title={webhookMessages.needsPlan}
            action={<ButtonLink to="/subscription">View your subscription</ButtonLink>}
          >
            {failure.message}
          </EmptyState>
        ) : !endpoints.data ? (
          <PendingQuery query={endpoints} label="Loading your webhook endpoints" failed={webhookMessages.loadFailed} />
        ) : endpoints.data.length === 0 ? (
          <EmptyState variant="bare" icon={<Webhook />} title="No endpoints yet" action={addButton}>
            Give the address of a program of yours, and pick what it is called for.
          </EmptyState>
        ) : (
          <>
            <ul aria-label="Webhook endpoints">
              {endpoints.data.map((endpoint) => (
                <EndpointItem key={endpoint._id} endpoint={endpoint} />
              ))}
            </ul>
            {isFull && <p className={text['note']}>{webhookMessages.full}</p>}
          </>
        )}
      </Card>
      <EndpointDialog key={addDialog.key} open={addDialog.open} onClose={addDialog.close} />
    </>
  )
}

function EndpointItem({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { _id, url, description, events, active, disabledReason, lastDelivery } = endpoint
  return (
    <li className={styles['item']}>
      <div className={layout['breakable-rest']}>
        <Link to="/settings/developers/webhooks/$id" params={{ id: _id }} className={styles['address']}>
          {url}
        </Link>
        {description && <p>{description}</p>}
        <p className={text['note']}>
          {events.length === 1 ? '1 event' : `${events.length} events`},{' '}
          {lastDelivery
            ? `last ${formatScheduled(lastDelivery.at)}: ${deliveryStateLabels[lastDelivery.state].toLowerCase()}`
            : 'nothing sent yet'}
        </p>
        {disabledReason && <p className={text['note']}>{disabledReasonLabels[disabledReason]}</p>}
      </div>
      <Badge tone={active ? 'success' : 'danger'}>{active ? 'On' : 'Off'}</Badge>
      <ChevronRight className={styles['chevron']} />
    </li>
  )
}
