import type { OrderDetail } from '@flashsheet/contracts/admin/schema'
import { plans } from '@flashsheet/contracts/plans'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { formatStamp } from '../../../lib/format.ts'
import { formatDollars } from '../../../lib/money.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { ButtonAnchor, ButtonLink } from '../../../ui/button-link.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { StatusBadge } from '../../subscription/status-badge.tsx'
import { Facts } from '../parts/facts.tsx'
import { PendingQuery } from '../../parts/pending-query.tsx'
import { actionNames, nameOf } from '../parts/labels.ts'

export function OrderDialog({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  // The order stays while the dialog animates out.
  const [lastId, setLastId] = useState(id)
  if (id !== undefined && id !== lastId) setLastId(id)
  const order = trpc.admin.order.useQuery({ id: lastId ?? '' }, { enabled: id !== undefined })
  return (
    <Dialog
      open={id !== undefined}
      onClose={onClose}
      title="Order"
      actions={
        order.data ? (
          <>
            {order.data.user && (
              <ButtonLink to="/admin/users/$id" params={{ id: order.data.user._id }}>
                Open artist
              </ButtonLink>
            )}
            {order.data.stripeUrl && (
              <ButtonAnchor
                href={order.data.stripeUrl}
                target="_blank"
                rel="noopener noreferrer"
                variant="ink"
                icon={<ExternalLink />}
              >
                Open at Stripe
              </ButtonAnchor>
            )}
          </>
        ) : (
          !order.error && (
            <>
              <Button isDisabled>Open artist</Button>
              <Button isDisabled variant="ink" icon={<ExternalLink />}>
                Open at Stripe
              </Button>
            </>
          )
        )
      }
    >
      {order.data ? (
        <OrderFacts order={order.data} />
      ) : (
        <PendingQuery query={order} label="Loading the order" failed="Failed to load the order">
          <Facts stacked={ids} rows={labels.map((label) => [label, '…'])} />
        </PendingQuery>
      )}
    </Dialog>
  )
}

/** Facts that every order has, so that the dialog has its final height before the order is loaded. */
const labels = [
  'Customer',
  'Mail',
  'Subscription',
  'Action',
  'Status',
  'Amount',
  'Currency',
  'Date',
  'Stripe customer',
  'Stripe object',
] as const
const ids = ['Stripe customer', 'Stripe object'] as const

function OrderFacts({ order }: { order: OrderDetail }) {
  return (
    <Facts
      stacked={ids}
      rows={[
        ['Customer', nameOf(order.user)],
        [
          'Mail',
          order.user?.email ? (
            <a key="mail" href={`mailto:${encodeURIComponent(order.user.email).replaceAll('%40', '@')}`}>
              {order.user.email}
            </a>
          ) : (
            'No email'
          ),
        ],
        ['Subscription', plans[order.plan].name],
        ['Action', actionNames[order.action]],
        ['Status', <StatusBadge key="status" status={order.status} />],
        ['Amount', formatDollars(order.amount)],
        order.refunded > 0 && ['Refunded', formatDollars(order.refunded)],
        ['Currency', order.currency.toUpperCase()],
        ['Date', formatStamp(order.createdAt)],
        ['Stripe customer', order.stripeCustomerId ?? 'N/A'],
        ['Stripe object', order.stripeObjectId],
      ]}
    />
  )
}
