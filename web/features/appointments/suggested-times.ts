import { FreeTime } from '@flashsheet/contracts/appointments/schema'
import { TRPCClientError } from '@trpc/client'
import { z } from 'zod'

const Refusal = z.object({ next: z.array(FreeTime) })

/** The free times that the server suggests in a `conflict` error; empty for other errors. */
export function suggestedTimes(error: unknown): readonly FreeTime[] {
  const refusal: unknown = error instanceof TRPCClientError ? error.data?.refusal : undefined
  return Refusal.safeParse(refusal).data?.next ?? []
}
