import { graceDays } from './limits.ts'

/** When an account whose deletion was asked for goes. */
export function deletesAt(askedAt: Date): Date {
  return new Date(askedAt.getTime() + graceDays * 86_400_000)
}
