import type { HistoryEntry } from '@flashsheet/contracts/admin/schema'
import { formatDollars } from '../../../lib/money.ts'
import styles from './order-amount.module.css'

/** What was paid, and below it what of that was refunded. */
export function OrderAmount({ order }: { order: Pick<HistoryEntry, 'amount' | 'refunded'> }) {
  return (
    <>
      {formatDollars(order.amount)}
      {order.refunded > 0 && <span className={styles['refund']}>{formatDollars(order.refunded)} refunded</span>}
    </>
  )
}
