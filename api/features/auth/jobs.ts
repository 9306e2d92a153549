import type { Tx } from '@flashsheet/db/client'
import { z } from 'zod'
import type { System } from '../../core/context.ts'
import { defineQueue } from '../../core/jobs.ts'

/** Mails the link somebody asked for, if there is anybody to mail it to. */
export const linkQueue = defineQueue('auth.link', z.object({ requestId: z.uuid() }))

/** Clears away links and sign-ins that came to nothing. */
export const cleanUpQueue = defineQueue('auth.tidy', z.object({}), { policy: 'singleton' })

export async function enqueueLink(system: System, tx: Tx, requestId: string): Promise<void> {
  await system.jobs.send(tx, linkQueue, { requestId })
}

/** Removes a closed account: comes back until the last network was told. */
export const purgeQueue = defineQueue('auth.purge', z.object({ userId: z.uuid() }), {
  retryLimit: 1000,
  retryDelay: 1,
  retryDelayMax: 900,
})

/** Closes accounts whose grace is over. */
export const leavingQueue = defineQueue('auth.leaving', z.object({}), { policy: 'singleton' })

export async function enqueuePurge(system: System, tx: Tx, userId: string): Promise<void> {
  await system.jobs.send(tx, purgeQueue, { userId })
}
