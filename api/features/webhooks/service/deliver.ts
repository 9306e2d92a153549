import { webhookLimits } from '@flashsheet/contracts/webhooks/limits'
import { disabledReasonLabels, webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { isServedArtist } from '../../../core/served-artist.ts'
import { AddressRefused } from '../../../gateways/public-address.ts'
import { notifyArtist } from '../../notices/service.ts'
import { enqueueDeliveries } from '../jobs.ts'
import {
  failPending,
  findDueDelivery,
  insertAttempt,
  listOverdueEndpoints,
  nextDueAt,
  type AttemptRow,
  type DueDelivery,
} from '../queries/deliveries.ts'
import {
  claimEndpoint,
  lockClaimed,
  lockEndpoint,
  saveOutcome,
  releaseEndpoint,
  type ClaimedEndpoint,
} from '../queries/endpoints.ts'
import { decideNext, retryAfterMs, signedHeaders, type Decision } from '../rules.ts'
import { openSecrets } from './secrets.ts'

const second = 1000
/** The maximum time from the start of a call to its answer. */
const defaultTimeoutMs = webhookLimits.timeoutSeconds * second
/** Longer than a call and the transaction that writes its outcome usually take. After it another process may repeat the call. */
const leaseMs = defaultTimeoutMs + 15 * second
/** Another job continues after these, so that no endpoint occupies a worker for ever. */
const maxCallsPerJob = 20

/**
 * Sends the due deliveries of an endpoint, one after the other, under the endpoint's lease. A job that finds it leased
 * does nothing: the holder reschedules at its end. If the holder dies, the sweep continues after the lease.
 */
export async function deliverTo(
  system: System,
  endpointId: string,
  stopping: AbortSignal,
  { timeoutMs = defaultTimeoutMs }: { timeoutMs?: number } = {},
): Promise<void> {
  const token = newId()
  const claim = { token, now: system.now(), ms: leaseMs }
  const claimed = await claimEndpoint(system.db, everyoneScope(), endpointId, claim)
  if (!claimed) return
  const owner = ownerScope(claimed.userId)
  let endpoint: ClaimedEndpoint | undefined = claimed
  if (!(await isServedArtist(system.db, owner))) return await cancelPending(system, endpointId, token)
  for (let sent = 0; endpoint && sent < maxCallsPerJob && !stopping.aborted; sent += 1) {
    const due = await findDueDelivery(system.db, owner, endpointId, system.now())
    if (!due) break
    endpoint = await deliver(system, owner, endpoint, due, { token, timeoutMs })
  }
  await releaseAndReschedule(system, endpointId, token)
}

/** Fails all pending deliveries, after the plan has ended or the account was closed. */
async function cancelPending(system: System, endpointId: string, token: string): Promise<void> {
  await system.db.transaction(async (tx) => {
    if (!(await lockClaimed(tx, everyoneScope(), endpointId, token))) return
    await failPending(tx, everyoneScope(), endpointId)
    await releaseEndpoint(tx, everyoneScope(), endpointId, token)
  })
}

/**
 * Releases an endpoint and queues a job for its next delivery. A delivery whose job found the endpoint leased was
 * committed before, so it is seen here, where the row is locked.
 */
async function releaseAndReschedule(system: System, endpointId: string, token: string): Promise<void> {
  await system.db.transaction(async (tx) => {
    const endpoint = await lockClaimed(tx, everyoneScope(), endpointId, token)
    if (!endpoint) return
    await releaseEndpoint(tx, everyoneScope(), endpointId, token)
    const nextAt = await nextDueAt(tx, everyoneScope(), endpointId)
    if (!nextAt) return
    const from = Math.max(nextAt.getTime(), endpoint.backoffUntil?.getTime() ?? 0)
    const startInMs = Math.max(0, from - system.now().getTime())
    await enqueueDeliveries(system, tx, [{ id: endpointId, isFast: endpoint.isFast }], startInMs)
  })
}

/**
 * Makes one call and writes its outcome. Returns the endpoint as it is then; undefined if the lease is lost or the endpoint
 * backs off or is switched off.
 */
async function deliver(
  system: System,
  owner: OwnerId,
  endpoint: ClaimedEndpoint,
  due: DueDelivery,
  { token, timeoutMs }: { token: string; timeoutMs: number },
): Promise<ClaimedEndpoint | undefined> {
  const secrets = await openSecrets(system, owner, endpoint.id, system.now())
  const { attempt, retryAfter } = await call(system, endpoint.url, due, { secrets, timeoutMs })
  const now = system.now()
  const outcome = { ...attempt, retryAfterMs: retryAfterMs(retryAfter, now) }
  const lease = { id: endpoint.id, token, ms: leaseMs }
  return await system.db.transaction(async (tx) => {
    const current = await lockClaimed(tx, everyoneScope(), endpoint.id, token)
    if (!current) return undefined
    const decision = decideNext(outcome, { ...current, tries: due.tries }, now, Math.random())
    // The artist changed the address or switched the endpoint off during the call, whose answer says nothing about it now.
    if (current.url !== endpoint.url || current.disabledAt) {
      const isDelivered = decision.delivery.state === 'delivered'
      const repeated = { state: 'pending' as const, tries: due.tries, nextAt: now }
      await insertAttempt(tx, due, attempt, isDelivered ? decision.delivery : repeated)
      await saveOutcome(tx, owner, lease, {})
      return current.disabledAt ? undefined : current
    }
    await insertAttempt(tx, due, attempt, decision.delivery)
    const disabled = decision.disable ? { disabledAt: now, disabledReason: decision.disable } : {}
    await saveOutcome(tx, owner, lease, { ...decision.endpoint, ...disabled })
    if (decision.disable) await disableEndpoint(system, tx, owner, endpoint, decision.disable, now)
    return decision.disable || decision.endpoint.backoffUntil ? undefined : current
  })
}

async function call(
  system: System,
  url: string,
  { eventId, body }: DueDelivery,
  { secrets, timeoutMs }: { secrets: readonly string[]; timeoutMs: number },
): Promise<{ attempt: AttemptRow; retryAfter: string | null }> {
  const at = system.now()
  const startedMs = performance.now()
  const timeout = AbortSignal.timeout(timeoutMs)
  const attemptOf = (status: number | null, error: string | null, answer: string): AttemptRow => ({
    id: newId(),
    at,
    status,
    ms: Math.round(performance.now() - startedMs),
    error,
    answer,
  })
  if (secrets.length === 0) return { attempt: attemptOf(null, webhookMessages.secretUnreadable, ''), retryAfter: null }
  try {
    const headers = signedHeaders({ eventId, body }, secrets, at)
    const { status, text, retryAfter } = await system.gateways.webhookEndpoints.post(url, { headers, body }, timeout)
    const isRedirect = status >= 300 && status < 400
    return { attempt: attemptOf(status, isRedirect ? webhookMessages.redirected : null, text), retryAfter }
  } catch (error) {
    return { attempt: attemptOf(null, errorMessage(error, timeout), ''), retryAfter: null }
  }
}

function errorMessage(error: unknown, timeout: AbortSignal): string {
  if (error instanceof AddressRefused) return webhookMessages.addressRefused
  if (timeout.aborted) return webhookMessages.timedOut
  const { cause } = error as { cause?: { code?: unknown } }
  const code = cause?.code ?? (error as { code?: unknown }).code
  return webhookMessages.connectionFailed(typeof code === 'string' ? code : undefined)
}

async function disableEndpoint(
  system: System,
  tx: Tx,
  owner: OwnerId,
  { id, url }: ClaimedEndpoint,
  reason: NonNullable<Decision['disable']>,
  now: Date,
): Promise<void> {
  // Waits for events that are being written for this endpoint, whose deliveries would stay pending.
  await lockEndpoint(tx, owner, id)
  await failPending(tx, everyoneScope(), id)
  await notifyArtist(system, tx, owner, {
    kind: 'webhook_disabled',
    dedupeKey: `webhook ${id} ${now.getTime()}`,
    title: webhookMessages.disabledTitle,
    text: `${url}\n${disabledReasonLabels[reason]}`,
    link: '/settings/developers',
    action: webhookMessages.disabledAction,
  })
}

/** A delivery that has been due for longer has lost its job. */
const overdueMs = 10 * second
const endpointsPerSweep = 500

/** Queues jobs for endpoints with due deliveries whose job or process was lost. */
export async function sweepDeliveries(system: System): Promise<void> {
  const before = new Date(system.now().getTime() - overdueMs)
  const overdue = await listOverdueEndpoints(system.db, everyoneScope(), before, endpointsPerSweep)
  const endpoints = overdue.map((id) => ({ id, isFast: false }))
  await enqueueDeliveries(system, system.db, endpoints)
}
