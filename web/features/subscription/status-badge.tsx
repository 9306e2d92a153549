import type { SubscriptionStatus } from '@flashsheet/contracts/plans'
import { Badge } from '../../ui/badge.tsx'
import { statusBadges } from './billing-cycle.ts'

export function StatusBadge({ status }: { status: SubscriptionStatus }) {
  const { tone, label } = statusBadges[status]
  return <Badge tone={tone}>{label}</Badge>
}
