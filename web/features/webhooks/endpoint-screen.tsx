import { disabledReasonLabels, webhookMessages, webhookTypeLabels } from '@flashsheet/contracts/webhooks/messages'
import type { WebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import { ArrowLeft, Webhook } from 'lucide-react'
import { formatScheduled } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PendingQuery } from '../parts/pending-query.tsx'
import { Deliveries } from './deliveries.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import text from '../../ui/text.module.css'
import layout from '../../ui/layout.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './endpoint-screen.module.css'
import { useSwitchEndpoint } from './use-switch-endpoint.ts'

/** /settings/developers/webhooks/…: one endpoint with its actions and deliveries. */
export function EndpointScreen({ id }: { id: string }) {
  const endpoints = trpc.webhooks.list.useQuery()
  const endpoint = endpoints.data?.find(({ _id }) => _id === id)
  return (
    <div className={classes(layout['stack-5'], styles['screen'])}>
      <div className={styles['back']}>
        <ButtonLink to="/settings/developers" variant="quiet" size="small" icon={<ArrowLeft />}>
          Developers
        </ButtonLink>
      </div>
      {endpoint ? (
        <>
          <EndpointCard endpoint={endpoint} />
          <Deliveries endpoint={endpoint} />
        </>
      ) : endpoints.data ? (
        <EmptyState
          icon={<Webhook />}
          title={webhookMessages.endpointGone}
          action={<ButtonLink to="/settings/developers">See your endpoints</ButtonLink>}
        />
      ) : (
        <Card>
          <PendingQuery query={endpoints} label="Loading the endpoint" failed={webhookMessages.loadFailed} />
        </Card>
      )}
    </div>
  )
}

function EndpointCard({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { url, description, events, active, createdAt, disabledAt, disabledReason } = endpoint
  const change = useSwitchEndpoint()
  const switchOn = useSingleFlight(change.mutateAsync)
  return (
    <Card
      title={<span className={text['breakable']}>{url}</span>}
      note={description || undefined}
      aside={<Badge tone={active ? 'success' : 'danger'}>{active ? 'On' : 'Off'}</Badge>}
      foot={<EndpointActions endpoint={endpoint} />}
    >
      <div className={layout['stack-4']}>
        {disabledReason && disabledAt && (
          <Alert
            tone={disabledReason === 'switched_off' ? 'info' : 'danger'}
            title={`Off since ${formatScheduled(disabledAt)}`}
            action={
              <Button
                size="small"
                pending={change.isPending}
                onPress={() => switchOn({ id: endpoint._id, active: true })}
              >
                Switch on again
              </Button>
            }
          >
            {disabledReasonLabels[disabledReason]} Events until then are not sent later.
          </Alert>
        )}
        <div>
          <h3 className={styles['label']}>Called when</h3>
          <ul className={styles['events']}>
            {events.map((type) => (
              <li key={type}>
                {webhookTypeLabels[type]} <code className={styles['type']}>{type}</code>
              </li>
            ))}
          </ul>
        </div>
        <p className={text['note']}>Added {formatScheduled(createdAt)}</p>
      </div>
    </Card>
  )
}
