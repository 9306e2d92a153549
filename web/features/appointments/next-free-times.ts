import { FreeTime } from '@flashsheet/contracts/appointments/schema'
import { TRPCClientError } from '@trpc/client'
import { z } from 'zod'

const Refusal = z.object({ next: z.array(FreeTime) })

/** The free times that the server suggests in a `conflict` error; none for any other error. */
export function nextFreeTimes(error: unknown): readonly FreeTime[] {
  const carried: unknown = error instanceof TRPCClientError ? error.data?.refusal : undefined
  return Refusal.safeParse(carried).data?.next ?? []
}
