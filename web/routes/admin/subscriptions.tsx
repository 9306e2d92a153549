import { adminLimits } from '@flashsheet/contracts/admin/limits'
import { orderActions } from '@flashsheet/contracts/subscription/limits'
import { planIds, subscriptionStatuses } from '@flashsheet/contracts/plans'
import { createFileRoute } from '@tanstack/react-router'
import { OrdersScreen } from '../../features/admin/orders/orders-screen.tsx'
import { routeTitle } from '../../features/parts/route-head.ts'
import { oneOf } from '../../lib/read-stored-json.ts'
import { searchValidator, text, integer } from '../../lib/search.ts'

export const Route = createFileRoute('/admin/subscriptions')({
  ...routeTitle('Recent Orders'),
  validateSearch: searchValidator({
    page: integer(2, adminLimits.pageMax),
    search: text(adminLimits.searchMax),
    plan: oneOf(planIds),
    status: oneOf(subscriptionStatuses),
    action: oneOf(orderActions),
    // The id of the order whose details are open.
    order: text(36),
  }),
  component: OrdersScreen,
})
