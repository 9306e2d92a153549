import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import { deleteCountersOf } from '@flashsheet/db/limits'
import type { System } from '../../../core/context.ts'
import { forEachIsolated, throwFailures } from '../../../core/for-each-isolated.ts'
import { mailContent } from '../../../core/mail.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { purgeQueue } from '../jobs.ts'
import { accountDeletedMail } from '../mails.ts'
import {
  deleteUser,
  findUserById,
  listExpiredAccounts,
  listUnfinishedPurges,
  lockUser,
  updateUser,
} from '../queries.ts'
import { graceCutoff } from '../rules.ts'
import { endSessions } from './sessions.ts'

const hourMs = 3_600_000

/**
 * Closes an account for good, in the caller's transaction: ends sessions and payments, revokes the access to the
 * networks, and queues the removal of all data. Called at the end of the grace period, or at once by an admin. Does
 * nothing when the account is closed already.
 */
export async function closeAccount(system: System, tx: Tx, owner: OwnerId): Promise<void> {
  const user = await lockUser(tx, owner)
  if (!user || user.purgingAt) return
  const now = system.now()
  await updateUser(tx, owner, { deletionAskedAt: user.deletionAskedAt ?? now, purgingAt: now, isActive: false }, now)
  if (!user.deletionAskedAt) await system.hooks.run('accountDeletionRequested', system, tx, { owner })
  await system.hooks.run('accountClosing', system, tx, { owner })
  await endSessions(system, tx, owner)
  await system.jobs.send(tx, purgeQueue, { userId: owner })
  // Makes every process close the public site at once.
  await notifyLive(tx, { owner, topic: 'website' })
}

/**
 * Removes a closed account: rows by cascade, files by jobs queued in the same transaction. Orders stay, without their
 * artist. Throws RetryLater while access to a network is not revoked yet, so that the job is retried.
 */
export async function purgeAccount(system: System, job: { userId: string }): Promise<void> {
  const owner = ownerScope(job.userId)
  const purged = await retryOnDeadlock(system.db, async (tx) => {
    const user = await lockUser(tx, owner, 'update')
    if (!user?.purgingAt) return undefined
    await system.hooks.run('accountPurging', system, tx, { owner })
    const emails = [user.email, ...(user.pendingEmail === null ? [] : [user.pendingEmail])]
    for (const subject of [...emails, owner]) await deleteCountersOf(tx, subject)
    await deleteUser(tx, owner, emails)
    // The pages that every web process caches change from hidden to unknown.
    await notifyLive(tx, { owner, topic: 'website' })
    return user
  })
  if (!purged) return
  system.log.info({ userId: job.userId }, 'an account was purged')
  // No data of the account may remain, so this mail is sent without the outbox and is not retried.
  await system.gateways.mail
    .send({
      to: purged.email,
      messageId: `purged-${job.userId}`,
      calendar: null,
      replyTo: null,
      ...(await mailContent(accountDeletedMail(purged.name))),
    })
    .catch((error: unknown) => system.log.warn({ err: error }, 'the last mail of a purged account was not sent'))
}

/** For the hook `socialAccountDeleting`: the purge may have waited for this account only. */
export async function resumePurge(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  if ((await findUserById(tx, fact.owner))?.purgingAt) await system.jobs.send(tx, purgeQueue, { userId: fact.owner })
}

/**
 * Closes accounts whose grace period has ended, and queues lost purges again. An account that fails does not stop the
 * others; the run then fails at its end and is retried.
 */
export async function closeExpiredAccounts(system: System): Promise<void> {
  const now = system.now()
  const cutoff = graceCutoff(now)
  const message = 'an account could not be closed'
  const failures = await forEachIsolated(
    system.log,
    await listExpiredAccounts(system.db, everyoneScope(), cutoff),
    { message, about: (userId) => ({ userId }) },
    async (userId) => {
      const owner = ownerScope(userId)
      await retryOnDeadlock(system.db, async (tx) => {
        // Read again under a lock, since the artist may have undone the deletion.
        const askedAt = (await lockUser(tx, owner))?.deletionAskedAt
        if (askedAt && askedAt <= cutoff) await closeAccount(system, tx, owner)
      })
    },
  )
  for (const userId of await listUnfinishedPurges(system.db, everyoneScope(), new Date(now.getTime() - hourMs)))
    await system.jobs.send(system.db, purgeQueue, { userId })
  throwFailures(failures, message)
}
