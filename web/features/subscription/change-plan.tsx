import { type PlanId, plans } from '@flashsheet/contracts/plans'
import type { Subscription } from '@flashsheet/contracts/subscription/schema'
import { useState } from 'react'
import { formatDollars } from '../../lib/money.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import text from '../../ui/text.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './change-plan.module.css'
import { planChange } from './billing-cycle.ts'
import { usePortal } from './use-portal.ts'

/**
 * Changes the plan. Stripe's page shows the prorated price and confirms the change. A downgrade first lists what will be switched off.
 */
export function ChangePlan({ plan, subscription }: { plan: PlanId; subscription: Subscription }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const { open, pending } = usePortal()
  const { note, disabled, isDowngrade, losesStudio } = planChange(subscription, plan)
  const { name, price } = plans[plan]
  const openPortal = () => open({ to: 'plan', plan })
  return (
    <>
      <Button
        size="large"
        wide
        isDisabled={disabled}
        aria-describedby={`change-${plan}`}
        pending={pending}
        pendingLabel="Processing..."
        onPress={() => {
          if (isDowngrade) setIsConfirming(true)
          else openPortal()
        }}
      >
        Switch to {name}
      </Button>
      <p id={`change-${plan}`} className={classes(text['note'], styles['note'])}>
        {note}
      </p>
      <AlertDialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={`Change to ${name}?`}
        action="Change plan"
        cancel="Keep my plan"
        tone="plain"
        pending={pending}
        pendingLabel="Processing..."
        onAction={openPortal}
      >
        <p>From today you pay {formatDollars(price)} a month. What you paid ahead is credited to your next invoices.</p>
        {losesStudio && (
          <ul className={styles['list']}>
            <li>Your site shows a holding page. Its texts, pictures and gallery stay stored as they are.</li>
            <li>Clients can no longer book. Appointments that are made stay, with their reminders.</li>
            <li>Posting continues as before.</li>
          </ul>
        )}
      </AlertDialog>
    </>
  )
}
