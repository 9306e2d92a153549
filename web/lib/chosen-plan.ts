import { planIds, type PlanId } from '@flashsheet/contracts/plans'
import { tryStorage } from './try-storage.ts'

/** Also written by public/theme.js, for links of the landing page that are clicked before hydration. */
const storageKey = 'chosen-plan'

/** Remembers a plan that was chosen before registration, until the checkout. Without storage the visitor has to choose again. */
export function rememberPlan(plan: PlanId): void {
  tryStorage(() => localStorage.setItem(storageKey, plan))
}

export function rememberedPlan(): PlanId | undefined {
  const stored = tryStorage(() => localStorage.getItem(storageKey))
  return planIds.find((plan) => plan === stored)
}

/** Call after the payment, or when another plan is chosen. */
export function forgetPlan(): void {
  tryStorage(() => localStorage.removeItem(storageKey))
}
