import { graceDays } from './limits.ts'

/** When an account is deleted after its deletion was requested. */
export function deletesAt(askedAt: Date): Date {
  return new Date(askedAt.getTime() + graceDays * 86_400_000)
}
