import type { HistoryEntry } from '@flashsheet/contracts/admin/schema'
import { plans } from '@flashsheet/contracts/plans'
import { Link } from '@tanstack/react-router'
import { formatScheduled } from '../../../lib/format.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { StatusBadge } from '../../subscription/status-badge.tsx'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import text from '../../../ui/text.module.css'
import styles from './recent-activity.module.css'
import { actionVerbs, nameOf } from '../parts/labels.ts'
import { OrderAmount } from '../parts/order-amount.tsx'

export function RecentActivity({ orders }: { orders: readonly HistoryEntry[] }) {
  return (
    <Card
      title="Recent Activity"
      aside={
        <ButtonLink to="/admin/subscriptions" size="small" variant="quiet">
          All orders
        </ButtonLink>
      }
    >
      {orders.length === 0 ? (
        <EmptyState variant="bare" title="No activity yet">
          <p>Orders show up here as soon as somebody subscribes.</p>
        </EmptyState>
      ) : (
        <ol>
          {orders.map((order) => (
            <li key={order._id} className={classes(layout['entry'], styles['entry'])}>
              <Avatar name={order.user?.name ?? ''} />
              <div className={layout['rest']}>
                <p>
                  {order.user ? (
                    <Link to="/admin/users/$id" params={{ id: order.user._id }} className={styles['who']}>
                      {nameOf(order.user)}
                    </Link>
                  ) : (
                    <span className={styles['who']}>{nameOf(null)}</span>
                  )}{' '}
                  {actionVerbs[order.action]} {plans[order.plan].name}
                </p>
                <time className={text['note']} dateTime={order.createdAt}>
                  {formatScheduled(order.createdAt)}
                </time>
              </div>
              <div className={styles['end']}>
                <span className={text['numerals-strong']}>
                  <OrderAmount order={order} />
                </span>
                <StatusBadge status={order.status} />
              </div>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
