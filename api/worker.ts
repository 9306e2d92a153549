import type { System } from './core/context.ts'
import { queueHandler, scheduledTask, type JobHandler } from './core/jobs.ts'
import { retryStoredMail, retryStuckMails, retryMailQueue, sendMailQueue, sendStoredMail } from './core/mail.ts'
import { adminJobs } from './features/admin/worker.ts'
import { appointmentJobs } from './features/appointments/worker.ts'
import { assistantJobs } from './features/assistants/worker.ts'
import { authJobs } from './features/auth/worker.ts'
import { postJobs } from './features/posts/worker.ts'
import { socialJobs } from './features/social/worker.ts'
import { subscriptionJobs } from './features/subscription/worker.ts'
import { deleteExpiredCounters } from '@flashsheet/db/limits'
import { noticeJobs } from './features/notices/worker.ts'
import { mediaJobs } from './features/media/worker.ts'
import { webhookJobs } from './features/webhooks/worker.ts'
import { websiteJobs } from './features/website/worker.ts'

const hour = 60 * 60 * 1000

/** Every queue with its handler, and periodic work without a queue. */
const jobHandlers: readonly JobHandler<System>[] = [
  queueHandler(
    sendMailQueue,
    { concurrency: 4 },
    async (system: System, { mailId }) => await sendStoredMail(system, mailId),
  ),
  queueHandler(
    retryMailQueue,
    { concurrency: 2 },
    async (system: System, { mailId }) => await retryStoredMail(system, mailId),
  ),
  scheduledTask('core.tidy', '17 * * * *', async (system: System) => {
    await system.sessions.deleteExpired()
    await deleteExpiredCounters(system.db, new Date(system.now().getTime() - 24 * hour))
    await retryStuckMails(system)
  }),
  ...authJobs,
  ...assistantJobs,
  ...noticeJobs,
  ...webhookJobs,
  ...subscriptionJobs,
  ...mediaJobs,
  ...websiteJobs,
  ...socialJobs,
  ...postJobs,
  ...adminJobs,
  ...appointmentJobs,
]

export const queues = jobHandlers.flatMap((handler) => handler.queue ?? [])

/** Starts all handlers in this process. */
export async function startWorker(system: System): Promise<void> {
  for (const handler of jobHandlers) await handler.start(system, system.jobs)
}
