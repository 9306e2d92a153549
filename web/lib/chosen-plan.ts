import { planIds, type PlanId } from '@flashsheet/contracts/plans'

/** Also written by public/theme.js, for links of the landing page that are pressed before hydration. */
const storageKey = 'chosen-plan'

/** Remembers a plan that was chosen before registration, until the checkout. */
export function rememberPlan(plan: PlanId): void {
  try {
    localStorage.setItem(storageKey, plan)
  } catch {
    // Without storage the visitor has to choose again on /subscription.
  }
}

export function rememberedPlan(): PlanId | undefined {
  try {
    const stored = localStorage.getItem(storageKey)
    return planIds.find((plan) => plan === stored)
  } catch {
    return undefined
  }
}

/** Call after the payment, or when another plan is chosen. */
export function forgetPlan(): void {
  try {
    localStorage.removeItem(storageKey)
  } catch {
    // Without storage there is nothing to forget.
  }
}
