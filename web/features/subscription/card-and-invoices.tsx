import type { Subscription } from '@flashsheet/contracts/subscription/schema'
import { CreditCard, ReceiptText } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import text from '../../ui/text.module.css'
import { usePortal } from './use-portal.ts'

/** Links to Stripe's billing portal for the card and the invoices, which we do not store. */
export function CardAndInvoices({ subscription }: { subscription: Subscription }) {
  const card = usePortal()
  const overview = usePortal()
  const hasEnded = subscription.status === 'canceled'
  return (
    <Card
      title="Card and invoices"
      foot={
        <>
          {!hasEnded && (
            <Button icon={<CreditCard />} pending={card.pending} onPress={() => card.open({ to: 'card' })}>
              Change card
            </Button>
          )}
          <Button icon={<ReceiptText />} pending={overview.pending} onPress={() => overview.open({ to: 'overview' })}>
            See invoices
          </Button>
        </>
      }
    >
      <p className={text['muted']}>Stripe keeps your card and your invoices. We never see the number.</p>
    </Card>
  )
}
