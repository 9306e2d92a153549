import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { System } from '../../../core/context.ts'
import { ownerScope } from '../../../core/scope.ts'
import { NetworkError, type PublishJob, type PublishMedia } from '../../../gateways/networks/adapter.ts'
import { renditionsFor } from '../../media/service/render.ts'
import { accountForPublish, type AccountForPublish } from '../../social/service/publishing.ts'
import type { StoredTarget } from '../queries/leases.ts'
import { listPostMedia } from '../queries/posts.ts'
import type { Lease } from './lease.ts'
import { concurrentPublishesOf } from './concurrent-publishes.ts'
import { loginTurnsOf } from './login-turns.ts'

/** Progress is written at most this often: often enough for a smooth progress bar. */
const progressEveryMs = 400

/** The account to publish with, with fresh tokens. Throws NetworkError. */
export async function openAccount(system: System, target: StoredTarget): Promise<AccountForPublish> {
  if (target.accountId === null) throw new NetworkError('permanent', 'account_gone', postMessages.accountGone)
  return await accountForPublish(system, ownerScope(target.userId), target.accountId, target.pageId)
}

/** The post's media as this network takes them, rendered when first used. Throws NetworkError for a deleted item. */
function lazyMedia(system: System, target: StoredTarget): () => Promise<readonly PublishMedia[]> {
  let opened: Promise<readonly PublishMedia[]> | undefined
  const open = async (): Promise<readonly PublishMedia[]> => {
    const owner = ownerScope(target.userId)
    const items = await listPostMedia(system.db, owner, [target.postId])
    const ids = items.flatMap((item) => item.mediaId ?? [])
    if (ids.length < items.length) throw new NetworkError('permanent', 'media_gone', postMessages.mediaGone)
    return await renditionsFor(system, owner, ids, target.platform, target.crops ?? [])
  }
  return async () => {
    opened ??= open()
    return await opened
  }
}

/** The part of a job that writes nothing and does not change. */
function fixedParts(system: System, target: StoredTarget, account: AccountForPublish) {
  const { id: targetId, title, message, options } = target
  return {
    ...account,
    targetId,
    title,
    message,
    options,
    media: lazyMedia(system, target),
    concurrentPublishes: async () => await concurrentPublishesOf(system, target),
    acquireTurn: loginTurnsOf(system, target.platform, account.providerUserId),
    now: system.now,
  }
}

/** The job of an adapter's steps; what they save is committed under the lease. */
export function jobFor(system: System, lease: Lease, account: AccountForPublish): PublishJob {
  const { target } = lease
  // Uploads shorter than `progressEveryMs` report no progress.
  let reportedAt = system.monotonic.now()
  return {
    ...fixedParts(system, target, account),
    get checkpoint() {
      return target.checkpoint
    },
    get remoteId() {
      return target.remoteId
    },
    get firstPublishAt() {
      return target.firstPublishAt
    },
    get lastPublishAt() {
      return target.lastPublishAt
    },
    get unanswered() {
      return target.unanswered
    },
    assertLease: lease.assertLease,
    // Read as a request is sent: a process that was suspended must not send it before its late timers have run.
    get signal() {
      lease.check()
      return lease.signal
    },
    save: lease.save,
    saveLater: (patch) => lease.writeLater({ checkpoint: { ...target.checkpoint, ...patch } }),
    async progress(percent) {
      const now = system.monotonic.now()
      const shown = target.progress ?? 0
      const isLast = percent === 100 && shown > 0
      if (percent <= shown || (now - reportedAt < progressEveryMs && !isLast)) return
      reportedAt = now
      await lease.write({ progress: percent, tries: 0 })
    },
  }
}

/** A job for steps that only read at the network: it allows no irreversible call and saves nothing. */
export function readOnlyJob(
  system: System,
  target: StoredTarget,
  account: AccountForPublish,
  signal: AbortSignal,
): PublishJob {
  return {
    ...fixedParts(system, target, account),
    checkpoint: target.checkpoint,
    remoteId: target.remoteId,
    firstPublishAt: target.firstPublishAt,
    lastPublishAt: target.lastPublishAt,
    unanswered: 0,
    signal,
    assertLease: async () => await Promise.reject(new Error('a read-only job sends nothing')),
    save: async () => await Promise.resolve(),
    saveLater: () => {},
    progress: async () => await Promise.resolve(),
  }
}
