import { planIds, type PlanId } from '@flashsheet/contracts/plans'

/** The landing page's links write it in public/theme.js, which is there before hydration. */
const storageKey = 'chosen-plan'

/** Keeps the plan that somebody chose before they could pay, in this browser. */
export function rememberPlan(plan: PlanId): void {
  try {
    localStorage.setItem(storageKey, plan)
  } catch {
    // Without storage the plan is chosen once more on /subscription.
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

/** Once it is paid, or another was chosen. */
export function forgetPlan(): void {
  try {
    localStorage.removeItem(storageKey)
  } catch {
    // Nothing is kept there.
  }
}
