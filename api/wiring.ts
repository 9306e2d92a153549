import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { connect } from '@flashsheet/db/client'
import { requestTimeouts, workTimeouts, type ConnectionTimeouts } from '@flashsheet/db/connection'
import { openClock } from '@flashsheet/db/clock'
import { openNamedLocks } from '@flashsheet/db/named-locks'
import { noLiveness, openWorkerLiveness } from '@flashsheet/db/worker-liveness'
import { openPublishProgress } from '@flashsheet/db/publish-progress'
import { createApiKeys } from './core/api-keys.ts'
import { createAssistantTokens } from './core/assistant-tokens.ts'
import type { Config } from './core/config.ts'
import type { System } from './core/context.ts'
import { createHooks } from './core/hooks.ts'
import { startJobs, type JobPool } from './core/jobs.ts'
import { createKeyRates } from './core/key-rates.ts'
import { startLiveFeed } from './core/live.ts'
import type { Logger } from './core/log.ts'
import { openProcessPool, type PoolOptions, type ProcessPool } from './core/process-pool.ts'
import { processTime } from './core/monotonic.ts'
import { createResponseCache } from './core/response-cache.ts'
import { createSessions } from './core/sessions/session.ts'
import { createGateways } from './gateways/gateways.ts'
import { auditAdminBySetting } from './features/admin/service/audit.ts'
import { resumeTargets } from './features/posts/service/await-account.ts'
import { removeAllMedia } from './features/media/service/remove.ts'
import { disconnectAll, refuseWhileConnected } from './features/social/service/accounts.ts'
import { removeMediaFromDrafts } from './features/drafts/service/drafts.ts'
import { holdTargets, releaseTargets } from './features/posts/service/hold.ts'
import { resumePurge } from './features/auth/service/purge.ts'
import {
  refuseMediaInUse,
  cancelPostsOfAccount,
  cancelPostsOfPage,
  removePostThumbnails,
} from './features/posts/service/disconnected-pages.ts'
import { cancelForDeletion, contactChanged } from './features/subscription/service/account.ts'
import { handleStudioClosed, handleStudioOpened } from './features/website/service/public-site.ts'
import { removeSiteImages } from './features/website/service/site-images.ts'
import { pageTopics } from './pages/cached-page.ts'
import { queues } from './worker.ts'

/** Registers what later slices do at the events of earlier ones. */
function registerHooks(hooks: System['hooks']): void {
  hooks.on('emailChanged', contactChanged)
  hooks.on('nameChanged', contactChanged)
  hooks.on('adminBySetting', auditAdminBySetting)
  hooks.on('accountDeletionRequested', cancelForDeletion)
  hooks.on('accountDeletionRequested', holdTargets)
  // Again, since staff may have begun a subscription at Stripe during the grace period.
  hooks.on('accountClosing', cancelForDeletion)
  hooks.on('accountClosing', disconnectAll)
  hooks.on('accountPurging', refuseWhileConnected)
  hooks.on('accountPurging', removeAllMedia)
  hooks.on('accountPurging', removePostThumbnails)
  hooks.on('accountPurging', removeSiteImages)
  hooks.on('subscriptionStopped', holdTargets)
  hooks.on('subscriptionResumed', releaseTargets)
  hooks.on('studioClosed', handleStudioClosed)
  hooks.on('studioOpened', handleStudioOpened)
  hooks.on('socialAccountDisconnecting', cancelPostsOfPage)
  hooks.on('socialAccountDeleting', cancelPostsOfAccount)
  hooks.on('socialAccountDeleting', resumePurge)
  hooks.on('socialPageRemoving', async (system, tx, fact) => {
    // A page that the network removed may return. Until then its posts are not cancelled, but fail when they are due.
    if (fact.because === 'artist') await cancelPostsOfPage(system, tx, fact)
  })
  hooks.on('socialAccountRestored', resumeTargets)
  hooks.on('mediaDeleting', refuseMediaInUse)
  hooks.on('mediaDeleting', removeMediaFromDrafts)
}

/** The processes that open artists' files, each for one artist at a time (docs/product/media.md, "Inspecting files"). */
export const fileProcesses: PoolOptions = {
  entry: new URL('./features/media/service/file-process.ts', import.meta.url),
  size: 2,
  heapMegabytes: 256,
  dataMegabytes: 1024,
  waiting: 200,
  waitingPerOwner: 30,
  waitMs: 60_000,
  idleMs: 5 * 60_000,
  tasksPerChild: 100,
  busyMessage: mediaMessages.busy,
}

/** Cached in memory; each has at most 300 kB. */
const maxSharePictures = 100

/** The longest time that a person waits for Stripe, a network or Google before the request is refused. */
const interactiveTimeoutMs = 10_000

/** A larger difference between this machine's clock and the database's is logged. */
const clockOffMs = 5000

/**
 * Assembles one process on a migrated database; `work` is the system for jobs. `stop` closes everything in order, after
 * `requestsDone`. A `filePool` that is passed in is shared with other systems, so the caller stops it.
 */
export async function startSystem(
  config: Config,
  options: {
    databaseUrl: string
    log: Logger
    isWorker: boolean
    now?: (() => Date) | undefined
    interactiveTimeoutMs?: number | undefined
    filePool?: ProcessPool | undefined
    jobPool?: JobPool | undefined
    requestTimeouts?: ConnectionTimeouts | undefined
  },
): Promise<{ system: System; work: System; stop: (graceMs: number, requestsDone?: Promise<void>) => Promise<void> }> {
  const { databaseUrl, log, isWorker } = options
  // A process with both roles has two pools: jobs take longer and must not take connections away from requests.
  const servesRequests = config.role !== 'worker'
  const client = connect(databaseUrl, 10, servesRequests ? (options.requestTimeouts ?? requestTimeouts) : workTimeouts)
  const workClient = isWorker && servesRequests ? connect(databaseUrl, 10, workTimeouts) : client
  const clock = await openClock(client)
  if (Math.abs(clock.aheadMs) > clockOffMs)
    log.warn(
      { aheadMs: Math.round(clock.aheadMs) },
      "this machine's clock is off; the database's clock decides what is due",
    )
  const now = options.now ?? clock.now
  const jobs = await startJobs({ url: databaseUrl, log, isWorker, queues, pool: options.jobPool })
  const live = await startLiveFeed(client, log)
  const locks = await openNamedLocks(databaseUrl)
  const liveness = isWorker ? await openWorkerLiveness(databaseUrl) : noLiveness
  const hooks = createHooks()
  registerHooks(hooks)
  const gateways = await createGateways(config, now)
  const progress = openPublishProgress(workClient, gateways.storage, (error) =>
    log.error({ err: error }, error.message),
  )
  // The start does not fail without the storage: the comparison is repeated before anything is published.
  await progress
    .compare()
    .catch((error: unknown) => log.warn({ err: error }, 'the publish progress could not be compared yet'))
  const filePool = options.filePool ?? openProcessPool(fileProcesses)
  const stopping = new AbortController()
  const openCache = (max?: number) => createResponseCache(live, () => now().getTime(), pageTopics, max)
  const system: System = {
    config,
    client,
    db: client.db,
    jobs,
    log,
    sessions: createSessions(client.db, config, now),
    apiKeys: createApiKeys(client.db, now),
    assistantTokens: createAssistantTokens(client.db, now),
    keyRates: createKeyRates(client.db, config, now),
    gateways,
    live,
    responses: openCache(),
    sharePictures: openCache(maxSharePictures),
    locks,
    liveness,
    progress,
    hooks,
    filePool,
    now,
    monotonic: processTime,
    interactiveTimeoutMs: options.interactiveTimeoutMs ?? interactiveTimeoutMs,
    stopping: stopping.signal,
  }
  return {
    system,
    work: { ...system, client: workClient, db: workClient.db },
    async stop(graceMs, requestsDone = Promise.resolve()) {
      stopping.abort()
      // Running jobs and requests need everything that is stopped below.
      await Promise.all([jobs.stop(graceMs), requestsDone])
      if (!options.filePool) await filePool.stop()
      await live.stop()
      await gateways.storage.stop()
      await gateways.ssrfSafeFetch.stop()
      await gateways.webhookEndpoints.stop()
      await gateways.pagePictures.stop()
      await locks.stop()
      await liveness.stop()
      clock.stop()
      await Promise.all([client.close(), workClient.close()])
    },
  }
}
