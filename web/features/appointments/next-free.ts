import { FreeTime } from '@flashsheet/contracts/appointments/schema'
import { TRPCClientError } from '@trpc/client'
import { z } from 'zod'

const Refusal = z.object({ next: z.array(FreeTime) })

/** The free times a refused booking came back with; none for any other failure. */
export function nextFree(error: unknown): readonly FreeTime[] {
  const carried: unknown = error instanceof TRPCClientError ? error.data?.refusal : undefined
  return Refusal.safeParse(carried).data?.next ?? []
}
