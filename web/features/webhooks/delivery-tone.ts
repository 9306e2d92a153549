import type { DeliveryState } from '@flashsheet/contracts/webhooks/limits'
import type { BadgeTone } from '../../ui/badge.tsx'

export const deliveryTone: Record<DeliveryState, BadgeTone> = {
  pending: 'pending',
  delivered: 'success',
  failed: 'danger',
}
