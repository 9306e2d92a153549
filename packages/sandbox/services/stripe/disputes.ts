import { insert } from '../../collection.ts'
import { invalid } from './errors.ts'
import { emit } from './events.ts'
import { newId, type Account, type Charge, type Dispute } from './state.ts'

/** Opens a dispute about a paid charge. Its money is withdrawn until the dispute is decided. */
export function openDispute(account: Account, charge: Charge): Dispute {
  if (charge.status !== 'succeeded') throw invalid(`Charge ${charge.id} has not been paid.`, 'charge')
  if (charge.disputed) throw invalid(`Charge ${charge.id} is disputed already.`, 'charge')
  const amount = charge.amount - charge.amount_refunded
  if (amount < 1) throw invalid(`Charge ${charge.id} has been refunded.`, 'charge')
  const dispute = insert(account.state.disputes, {
    id: newId('du_1'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: account.now(),
    currency: charge['currency'],
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: { due_by: account.now() + 9 * 86_400, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '10.4' },
      type: 'card',
    },
    reason: 'fraudulent',
    status: 'needs_response',
  })
  charge.disputed = true
  emit(account, 'charge.dispute.created', dispute)
  emit(account, 'charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** Decides a dispute; if the merchant wins, the money is returned. */
export function decideDispute(account: Account, dispute: Dispute, won: boolean): Dispute {
  if (dispute.status !== 'needs_response') throw invalid(`This dispute is already ${dispute.status}.`)
  dispute.status = won ? 'won' : 'lost'
  emit(account, 'charge.dispute.closed', dispute)
  if (won) emit(account, 'charge.dispute.funds_reinstated', dispute)
  return dispute
}

/** The dispute about a charge; there is one at most. */
export function disputeOf(account: Account, charge: Charge): Dispute | undefined {
  return Object.values(account.state.disputes).find((one) => one.charge === charge.id)
}

/** The newest charge that was paid for a subscription. */
export function newestCharge(account: Account, subscription: string): Charge | undefined {
  const { state } = account
  const intents = Object.values(state.invoicePayments)
    .filter(
      (one) =>
        one.status === 'paid' && state.invoices[one.invoice]?.parent.subscription_details.subscription === subscription,
    )
    .map((one) => one.payment.payment_intent)
  return Object.values(state.charges).findLast(
    (one) => one.status === 'succeeded' && intents.includes(one.payment_intent),
  )
}
