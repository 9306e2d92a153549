import type { AdminUser } from '@flashsheet/contracts/admin/schema'
import { Badge } from '../../../ui/badge.tsx'

/** Whether an account is active, inactive, scheduled for deletion or being deleted. */
export function ActivityBadge({ user }: { user: Pick<AdminUser, 'isActive' | 'deletion'> }) {
  if (user.deletion === 'running') return <Badge tone="danger">Being deleted</Badge>
  if (user.deletion === 'asked') return <Badge tone="warning">Deletion pending</Badge>
  return user.isActive ? <Badge tone="success">Active</Badge> : <Badge tone="danger">Inactive</Badge>
}
