import type { Tx } from '@flashsheet/db/client'
import { z } from 'zod'
import type { System } from '../../core/context.ts'
import { defineQueue } from '../../core/jobs.ts'

/** Mails the link somebody asked for, if there is anybody to mail it to. */
export const linkQueue = defineQueue('auth.link', z.object({ requestId: z.uuid() }))

/** Clears away links and sign-ins that came to nothing. */
export const tidyQueue = defineQueue('auth.tidy', z.object({}), { policy: 'singleton' })

export async function enqueueLink(system: System, tx: Tx, requestId: string): Promise<void> {
  await system.jobs.send(tx, linkQueue, { requestId })
}
