import { adminLimits } from '@flashsheet/contracts/admin/limits'
import type { HistoryEntry } from '@flashsheet/contracts/admin/schema'
import { orderActions } from '@flashsheet/contracts/subscription/limits'
import { planIds, plans, subscriptionStatuses } from '@flashsheet/contracts/plans'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { formatStamp } from '../../../lib/format.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { RecordsProps } from '../../../ui/records.tsx'
import { statusBadges } from '../../subscription/billing-cycle.ts'
import { StatusBadge } from '../../subscription/status-badge.tsx'
import { Filter, ListFilters } from '../lists/list-filters.tsx'
import { ListResult } from '../lists/list-result.tsx'
import layout from '../../../ui/layout.module.css'
import styles from '../lists/list-screen.module.css'
import { OrderDialog } from './order-dialog.tsx'
import { OrderTools } from './order-tools.tsx'
import { OrdersSummary } from './orders-summary.tsx'
import { OrderAmount } from '../parts/order-amount.tsx'
import { Person } from '../parts/person.tsx'
import { listNavigation } from '../parts/search-params.ts'
import { useSearchBox } from '../lists/search-box.ts'
import { actionNames, planTone, noMatchesText } from '../parts/labels.ts'

const from = '/admin/subscriptions'

/** The options of a filter, after `all` for no filter. */
const filterOptions = <T extends string>(label: string, values: readonly T[], nameOf: (value: T) => string) => [
  { value: 'all' as const, label },
  ...values.map((value) => ({ value, label: nameOf(value) })),
]

export function OrdersScreen() {
  const params = useSearch({ from })
  const navigate = useNavigate({ from })
  const setParams = (next: typeof params) => void navigate(listNavigation(next))
  /** Without an entry of its own in the history: Back would open an order again that was closed. */
  const showOrder = (order: string | undefined) =>
    void navigate({ ...listNavigation({ ...params, order }), replace: true })
  const box = useSearchBox(params.search)
  const { page = 1, search = '', plan, status, action } = params
  const list = trpc.admin.history.useQuery(
    { page, limit: adminLimits.pageSize, search, plan, status, action },
    { placeholderData: keepPreviousData },
  )
  const filter = (change: Partial<typeof params>) =>
    setParams({ ...params, search: box.search, ...change, page: undefined })
  const isFiltered = Boolean(params.search ?? params.plan ?? params.status ?? params.action)
  return (
    <div className={layout['stack-5']}>
      <OrdersSummary />
      <ListFilters
        label="Search orders"
        placeholder="Search orders"
        box={box}
        onSearch={() => filter({})}
        clear={{ isFiltered, onClear: () => setParams({}) }}
      >
        <Filter
          label="Plan"
          value={plan ?? 'all'}
          options={filterOptions('All Plans', planIds, (plan) => plans[plan].name)}
          onChange={(next) => filter({ plan: next === 'all' ? undefined : next })}
        />
        <Filter
          label="Status"
          value={status ?? 'all'}
          options={filterOptions('All Status', subscriptionStatuses, (status) => statusBadges[status].label)}
          onChange={(next) => filter({ status: next === 'all' ? undefined : next })}
        />
        <Filter
          label="Action"
          value={action ?? 'all'}
          options={filterOptions('All Actions', orderActions, (action) => actionNames[action])}
          onChange={(next) => filter({ action: next === 'all' ? undefined : next })}
        />
      </ListFilters>
      <ListResult
        query={list}
        page={page}
        label="Recent Orders"
        what="orders"
        emptyTitle="No orders found"
        emptyText={<p>{isFiltered ? noMatchesText : 'Orders show up here as soon as somebody subscribes.'}</p>}
        columns={columnsFor(showOrder)}
        rows={list.data?.history ?? []}
        rowId={(entry) => entry._id}
        onPage={(next) => setParams({ ...params, page: next })}
      />
      <OrderDialog id={params.order} onClose={() => showOrder(undefined)} />
    </div>
  )
}

function columnsFor(open: (id: string) => void): RecordsProps<HistoryEntry>['columns'] {
  return [
    {
      id: 'stripe',
      label: 'Stripe Customer ID',
      cell: (entry) => <span className={styles['code']}>{entry.stripeCustomerId ?? 'N/A'}</span>,
    },
    {
      id: 'customer',
      label: 'Customer',
      isRowHeader: true,
      cell: ({ user }) => <Person id={user?._id ?? null} name={user?.name ?? ''} note={user?.email || 'No email'} />,
    },
    {
      id: 'subscription',
      label: 'Subscription',
      cell: (entry) => <Badge tone={planTone(entry.plan)}>{plans[entry.plan].name}</Badge>,
    },
    {
      id: 'amount',
      label: 'Amount',
      align: 'end',
      cell: (entry) => <OrderAmount order={entry} />,
    },
    { id: 'action', label: 'Action', cell: (entry) => actionNames[entry.action] },
    {
      id: 'date',
      label: 'Date',
      cell: (entry) => (
        <time className={styles['stamp']} dateTime={entry.createdAt}>
          {formatStamp(entry.createdAt)}
        </time>
      ),
    },
    { id: 'status', label: 'Status', cell: (entry) => <StatusBadge status={entry.status} /> },
    {
      id: 'tools',
      label: 'Details',
      isLabelHidden: true,
      cell: (entry) => <OrderTools key="tools" entry={entry} onOpen={() => open(entry._id)} />,
    },
  ]
}
