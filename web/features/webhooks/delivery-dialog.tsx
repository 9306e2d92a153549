import { deliveryStateLabels, webhookMessages, webhookTypeLabels } from '@flashsheet/contracts/webhooks/messages'
import type { WebhookDeliveryDetail, WebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import { formatScheduled, formatStamp, indentJson } from '../../lib/format.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { retryInterval } from '../../lib/query-client.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { deliveryTone } from './delivery-tone.ts'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './delivery-dialog.module.css'
import { PendingQuery } from '../parts/pending-query.tsx'

type Props = {
  endpoint: WebhookEndpoint
  /** Undefined until the dialog is opened first. */
  deliveryId: string | undefined
  open: boolean
  onClose: () => void
}

/** One delivery: its body, each attempt with the response, and a button to send it again. */
export function DeliveryDialog({ endpoint, deliveryId, open, onClose }: Props) {
  const utils = trpc.useUtils()
  const delivery = trpc.webhooks.delivery.useQuery(
    { id: endpoint._id, deliveryId: deliveryId ?? '' },
    {
      enabled: deliveryId !== undefined,
      refetchInterval: (query) =>
        retryInterval(query) || (open && query.state.data?.state === 'pending' ? 2000 : false),
    },
  )
  const resend = trpc.webhooks.resend.useMutation({
    onSuccess: () => toast.success(webhookMessages.resent),
    onError: (error) => toastFailure(error, webhookMessages.resendFailed),
    onSettled: async () => await utils.webhooks.invalidate(),
  })
  const sendAgain = useSingleFlight(resend.mutateAsync)
  const { data } = delivery
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={data ? webhookTypeLabels[data.type] : 'Delivery'}
      size="wide"
      steady
      actions={
        <>
          <Button onPress={onClose}>Close</Button>
          <Button
            variant="primary"
            pending={resend.isPending}
            isDisabled={!data || !endpoint.active}
            onPress={() => data && sendAgain({ id: endpoint._id, deliveryId: data._id })}
          >
            Send again
          </Button>
        </>
      }
    >
      {data ? (
        <Detail delivery={data} isOff={!endpoint.active} />
      ) : (
        <PendingQuery query={delivery} label="Loading the delivery" failed={webhookMessages.deliveriesFailed} />
      )}
    </Dialog>
  )
}

function Detail({ delivery, isOff }: { delivery: WebhookDeliveryDetail; isOff: boolean }) {
  const { type, eventId, at, attempts, state, nextAt, body } = delivery
  return (
    <div className={layout['stack-5']}>
      {isOff && <Alert tone="info">{webhookMessages.switchedOff}</Alert>}
      <dl className={styles['facts']}>
        <dt>State</dt>
        <dd>
          <Badge tone={deliveryTone[state]}>{deliveryStateLabels[state]}</Badge>
          {state === 'pending' && nextAt && ` next try ${formatScheduled(nextAt)}`}
        </dd>
        <dt>Event</dt>
        <dd>
          <code>{type}</code> {formatStamp(at)}
        </dd>
        <dt>
          <code>webhook-id</code>
        </dt>
        <dd>
          <code>{eventId}</code>
        </dd>
      </dl>
      <section>
        <h3 className={styles['heading']}>Tries</h3>
        {attempts.length === 0 && <p className={text['muted']}>None yet.</p>}
        <ol className={classes(layout['stack-3'], styles['tries'])}>
          {attempts.map((attempt) => (
            <li key={attempt.at}>
              <p>
                {formatStamp(attempt.at)}:{' '}
                {attempt.status === null ? '' : `answered ${attempt.status} after ${attempt.ms} ms. `}
                {attempt.error}
              </p>
              {attempt.answer !== '' && <Text label={`Answer of ${formatStamp(attempt.at)}`}>{attempt.answer}</Text>}
            </li>
          ))}
        </ol>
      </section>
      <section>
        <h3 className={styles['heading']}>Body</h3>
        <Text label="Body">{indentJson(body)}</Text>
      </section>
    </div>
  )
}

function Text({ label, children }: { label: string; children: string }) {
  return (
    // A scroll container must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles['text']} tabIndex={0} aria-label={label}>
      <pre>
        <code>{children}</code>
      </pre>
    </section>
  )
}
