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

/** The name of a plan's figure in answers. */
export const figureName = <S extends string>(plan: PlanId, suffix: S): `${FigureName}${S}` =>
  `${plans[plan].figures}${suffix}`
