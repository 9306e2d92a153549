import { type PlanId, planIds, plans } from '../plans.ts'

type FigureName = (typeof plans)[PlanId]['figures']

/** A figure of each plan under its name in answers: `completeShadingRevenue`. */
export function figuresByPlan<S extends string, V>(
  suffix: S,
  valueOf: (plan: PlanId) => V,
): Record<`${FigureName}${S}`, V> {
  const entries = planIds.map((plan) => [figureName(plan, suffix), valueOf(plan)])
  return Object.fromEntries(entries) as Record<`${FigureName}${S}`, V>
}

/** What the figure of a plan is called there. */
export const figureName = <S extends string>(plan: PlanId, suffix: S): `${FigureName}${S}` =>
  `${plans[plan].figures}${suffix}`
