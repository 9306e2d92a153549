import { adminLimits } from '@flashsheet/contracts/admin'
import { orderActions, planIds, subscriptionStatuses } from '@flashsheet/contracts/subscription'
import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { OrdersScreen } from '../../features/admin/orders-screen.tsx'
import { titled } from '../../features/shell/titled.ts'

export const Route = createFileRoute('/admin/subscriptions')({
  ...titled('Recent Orders'),
  validateSearch: z.object({
    page: z.coerce.number().int().min(2).max(adminLimits.pageMax).optional().catch(undefined),
    search: z.coerce.string().min(1).max(adminLimits.searchMax).optional().catch(undefined),
    plan: z.enum(planIds).optional().catch(undefined),
    status: z.enum(subscriptionStatuses).optional().catch(undefined),
    action: z.enum(orderActions).optional().catch(undefined),
    order: z.uuid().optional().catch(undefined),
  }),
  component: Orders,
})

function Orders() {
  const asked = Route.useSearch()
  const navigate = Route.useNavigate()
  return <OrdersScreen asked={asked} onAsk={({ page, ...search }) => void navigate({ search: { ...search, ...(page === 1 ? {} : { page }) } })} />
}
