import { adminLimits, type HistoryEntry } from '@flashsheet/contracts/admin'
import { orderActions, planIds, plans, subscriptionStatuses, type OrderAction, type PlanId, type SubscriptionStatus } from '@flashsheet/contracts/subscription'
import { keepPreviousData } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { formatStamp } from '../../lib/format.ts'
import { dollars } from '../../lib/money.ts'
import { trpc } from '../../lib/trpc.ts'
import { phoneWidth, useMediaQuery } from '../../lib/use-media-query.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Records, type RecordsProps } from '../../ui/records.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { statusBadges } from '../subscription/billing-cycle.ts'
import styles from './list-screen.module.css'
import { ListFoot } from './list-foot.tsx'
import { ListPending } from './list-pending.tsx'
import { LoadFailed } from './load-failed.tsx'
import { OrderDialog } from './order-dialog.tsx'
import { OrderTools } from './order-tools.tsx'
import { OrdersHead } from './orders-head.tsx'
import { Person } from './person.tsx'
import { useLastPage } from './use-last-page.ts'
import { actionNames, planColours, statusNames } from './words.ts'

/** What the address holds; absent is all, or the first page. `order`: the one whose details are open. */
export type OrdersSearch = {
  page?: number | undefined
  search?: string | undefined
  plan?: PlanId | undefined
  status?: SubscriptionStatus | undefined
  action?: OrderAction | undefined
  order?: string | undefined
}

/** What the server is asked for an address. */
export function ordersInput({ page = 1, search = '', plan, status, action }: OrdersSearch) {
  return { page, limit: adminLimits.pageSize, search, plan, status, action }
}

/** `all` stands for no filter: a choice needs a value. */
const orAll = <T extends string>(label: string, values: readonly T[], names: Record<T, string>) => [
  { value: 'all' as const, label },
  ...values.map((value) => ({ value, label: names[value] })),
]
const planNames = { 'social-line-work': plans['social-line-work'].name, 'complete-shading': plans['complete-shading'].name }

/** /admin/subscriptions (spec 2, Recent Orders page). */
export function OrdersScreen({ asked, onAsk }: { asked: OrdersSearch; onAsk: (asked: OrdersSearch) => void }) {
  const phone = useMediaQuery(phoneWidth)
  const [typed, setTyped] = useState(asked.search ?? '')
  const [shownFor, setShownFor] = useState(asked.search)
  if (shownFor !== asked.search) {
    setShownFor(asked.search)
    setTyped(asked.search ?? '')
  }
  const list = trpc.admin.history.useQuery(ordersInput(asked), { placeholderData: keepPreviousData })
  const go = (page: number) => onAsk({ ...asked, page })
  useLastPage(list.data?.pagination, go)
  const filter = (change: Partial<OrdersSearch>) => onAsk({ ...asked, search: typed.trim() || undefined, ...change, page: undefined })
  const isFiltered = Boolean(asked.search ?? asked.plan ?? asked.status ?? asked.action) || typed !== ''
  return (
    <div className={styles['screen']}>
      <OrdersHead />
      <search>
        <form
          className={styles['filters']}
          onSubmit={(event) => {
            event.preventDefault()
            filter({})
          }}
        >
          <div className={styles['search']}>
            <TextField label="Search orders" labelHidden type="search" enterKeyHint="search" placeholder="Search orders" value={typed} onChange={setTyped} />
          </div>
          <div className={styles['choice']}>
            <Select label="Plan" labelHidden value={asked.plan ?? 'all'} options={orAll('All Plans', planIds, planNames)} onChange={(plan) => filter({ plan: plan === 'all' ? undefined : plan })} />
          </div>
          <div className={styles['choice']}>
            <Select
              label="Status"
              labelHidden
              value={asked.status ?? 'all'}
              options={orAll('All Status', subscriptionStatuses, statusNames)}
              onChange={(status) => filter({ status: status === 'all' ? undefined : status })}
            />
          </div>
          <div className={styles['choice']}>
            <Select
              label="Action"
              labelHidden
              value={asked.action ?? 'all'}
              options={orAll('All Actions', orderActions, actionNames)}
              onChange={(action) => filter({ action: action === 'all' ? undefined : action })}
            />
          </div>
          <Button type="submit" variant="ink" icon={<Search aria-hidden="true" />}>
            Search
          </Button>
          <Button
            isDisabled={!isFiltered}
            onPress={() => {
              setTyped('')
              onAsk({})
            }}
          >
            Clear
          </Button>
        </form>
      </search>
      {list.error && !list.data ? (
        <LoadFailed error={list.error} what="orders" retry={() => void list.refetch()} pending={list.isFetching} />
      ) : !list.data ? (
        <ListPending label="Loading orders" />
      ) : (
        <div className={styles['list']} aria-busy={list.isPlaceholderData}>
          {list.error && <LoadFailed error={list.error} what="orders" retry={() => void list.refetch()} pending={list.isFetching} />}
          <Records
            label="Recent Orders"
            phone={phone}
            columns={columnsWith((order) => onAsk({ ...asked, order }))}
            rows={list.data.history}
            rowId={(entry) => entry._id}
            empty={<EmptyState look="bare" icon={<Search />} title="No orders found" />}
          />
          <ListFoot pagination={list.data.pagination} onPage={go} />
        </div>
      )}
      <OrderDialog id={asked.order} onClose={() => onAsk({ ...asked, order: undefined })} />
    </div>
  )
}

function columnsWith(open: (id: string) => void): RecordsProps<HistoryEntry>['columns'] {
  return [
    { id: 'stripe', label: 'Stripe Customer ID', cell: (entry) => <span className={styles['code']}>{entry.stripeCustomerId ?? 'N/A'}</span> },
    {
      id: 'customer',
      label: 'Customer',
      names: true,
      cell: ({ user }) => <Person id={user?._id ?? null} name={user?.name ?? ''} note={user?.email || 'No email'} />,
    },
    { id: 'subscription', label: 'Subscription', cell: (entry) => <Badge tone={planColours[entry.plan]}>{plans[entry.plan].name}</Badge> },
    {
      id: 'amount',
      label: 'Amount',
      align: 'end',
      cell: (entry) => (
        <>
          {dollars(entry.amount)}
          {entry.refunded > 0 && <span className={styles['refund']}>{dollars(entry.refunded)} refunded</span>}
        </>
      ),
    },
    { id: 'action', label: 'Action', cell: (entry) => <span className={styles['together']}>{actionNames[entry.action]}</span> },
    {
      id: 'date',
      label: 'Date',
      cell: (entry) => (
        <time className={styles['together']} dateTime={entry.createdAt}>
          {formatStamp(entry.createdAt)}
        </time>
      ),
    },
    { id: 'status', label: 'Status', cell: (entry) => <Badge tone={statusBadges[entry.status].tone}>{statusBadges[entry.status].label}</Badge> },
    { id: 'tools', label: 'Details', labelHidden: true, cell: (entry) => <OrderTools key="tools" entry={entry} onOpen={() => open(entry._id)} /> },
  ]
}
