import { webhookLimits } from '@flashsheet/contracts/webhooks/limits'
import { disabledWords, webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { ForeignAddressRefused } from '../../../gateways/foreign-address.ts'
import { notifyArtist } from '../../notices/service.ts'
import { enqueueDeliveries } from '../jobs.ts'
import {
  failPending,
  findDue,
  insertAttempt,
  listForgotten,
  nextDue,
  type AttemptRow,
  type DueDelivery,
} from '../queries/deliveries.ts'
import {
  claimEndpoint,
  isArtistServed,
  lockClaimed,
  noteAnswer,
  releaseEndpoint,
  type ClaimedEndpoint,
} from '../queries/endpoints.ts'
import { judge, retryAfterMs, signedHeaders, type Verdict } from '../rules.ts'
import { openSecrets } from './secrets.ts'

const second = 1000
const timeoutMs = webhookLimits.timeoutSeconds * second
/** Longer than a call can take with all that is written about it. */
const leaseMs = timeoutMs + 15 * second
/** Then another job goes on, so that no endpoint keeps its place for ever. */
const mostInTurn = 20

/**
 * Sends what is due at an endpoint, one call after the other. Of any number of processes one does; what comes meanwhile it finds at the
 * end. A process that dies leaves its lease, and the sweep finds the rest.
 */
export async function deliverTo(system: System, endpointId: string, stopping: AbortSignal): Promise<void> {
  const token = newId()
  const claimed = await claimEndpoint(system.db, everyoneScope(), endpointId, {
    token,
    now: system.now(),
    ms: leaseMs,
  })
  if (!claimed) return
  const owner = ownerScope(claimed.userId)
  let endpoint: ClaimedEndpoint | undefined = claimed
  if (!(await isArtistServed(system.db, owner))) return await giveUp(system, endpointId, token)
  for (let sent = 0; endpoint && sent < mostInTurn && !stopping.aborted; sent += 1) {
    const due = await findDue(system.db, owner, endpointId, system.now())
    if (!due) break
    endpoint = await deliver(system, owner, endpoint, due, token)
  }
  await letGo(system, endpointId, token)
}

/** The plan ended, or the account was closed: nothing more leaves. */
async function giveUp(system: System, endpointId: string, token: string): Promise<void> {
  await system.db.transaction(async (tx) => {
    if (!(await lockClaimed(tx, everyoneScope(), endpointId, token))) return
    await failPending(tx, everyoneScope(), endpointId)
    await releaseEndpoint(tx, everyoneScope(), endpointId, token)
  })
}

/**
 * Gives an endpoint back. An event whose job found it taken was committed before: it is seen here, where the row is locked, and gets a
 * job of its own.
 */
async function letGo(system: System, endpointId: string, token: string): Promise<void> {
  await system.db.transaction(async (tx) => {
    const endpoint = await lockClaimed(tx, everyoneScope(), endpointId, token)
    if (!endpoint) return
    await releaseEndpoint(tx, everyoneScope(), endpointId, token)
    const nextAt = await nextDue(tx, everyoneScope(), endpointId)
    if (!nextAt) return
    const from = Math.max(nextAt.getTime(), endpoint.restsUntil?.getTime() ?? 0)
    const startInMs = Math.max(0, from - system.now().getTime())
    await enqueueDeliveries(system, tx, [{ id: endpointId, isPrompt: endpoint.isPrompt }], startInMs)
  })
}

/** Makes one call and writes what became of it. Undefined: the endpoint was lost, rests, or is switched off. */
async function deliver(
  system: System,
  owner: OwnerId,
  endpoint: ClaimedEndpoint,
  due: DueDelivery,
  token: string,
): Promise<ClaimedEndpoint | undefined> {
  const secrets = await openSecrets(system.db, system.config, owner, endpoint.id, system.now())
  const { attempt, retryAfter } = await call(system, endpoint.url, due, secrets)
  const now = system.now()
  const outcome = { ...attempt, retryAfterMs: retryAfterMs(retryAfter, now) }
  const verdict = judge(outcome, { ...endpoint, tries: due.tries }, now, Math.random())
  const isMine = await system.db.transaction(async (tx) => {
    if (!(await lockClaimed(tx, everyoneScope(), endpoint.id, token))) return false
    await insertAttempt(tx, due.id, attempt, verdict.delivery)
    await noteAnswer(
      tx,
      owner,
      { id: endpoint.id, token, ms: leaseMs },
      {
        ...verdict.endpoint,
        ...(verdict.disable ? { disabledAt: now, disabledReason: verdict.disable } : {}),
      },
    )
    if (verdict.disable) await switchOff(system, tx, owner, endpoint, verdict.disable, now)
    return true
  })
  if (!isMine || verdict.disable || verdict.endpoint.restsUntil) return undefined
  const { failures, failingSince } = verdict.endpoint
  return { ...endpoint, failures, failingSince }
}

async function call(
  system: System,
  url: string,
  { eventId, body }: DueDelivery,
  secrets: readonly string[],
): Promise<{ attempt: AttemptRow; retryAfter: string | null }> {
  const at = system.now()
  const begun = performance.now()
  const timeout = AbortSignal.timeout(timeoutMs)
  const made = (status: number | null, error: string | null, answer: string): AttemptRow => ({
    id: newId(),
    at,
    status,
    ms: Math.round(performance.now() - begun),
    error,
    answer,
  })
  try {
    const headers = signedHeaders({ eventId, body }, secrets, at)
    const { status, text, retryAfter } = await system.gateways.listeners.post(url, { headers, body }, timeout)
    const isRedirect = status >= 300 && status < 400
    return { attempt: made(status, isRedirect ? webhookMessages.redirected : null, text), retryAfter }
  } catch (error) {
    return { attempt: made(null, failureWords(error, timeout), ''), retryAfter: null }
  }
}

function failureWords(error: unknown, timeout: AbortSignal): string {
  if (error instanceof ForeignAddressRefused) return webhookMessages.addressRefused
  if (timeout.aborted) return webhookMessages.timedOut
  const { cause } = error as { cause?: { code?: unknown } }
  const code = cause?.code ?? (error as { code?: unknown }).code
  return webhookMessages.connectionFailed(typeof code === 'string' ? code : undefined)
}

async function switchOff(
  system: System,
  tx: Tx,
  owner: OwnerId,
  { id, url }: ClaimedEndpoint,
  reason: NonNullable<Verdict['disable']>,
  now: Date,
): Promise<void> {
  await failPending(tx, everyoneScope(), id)
  await notifyArtist(system, tx, owner, {
    kind: 'webhook_disabled',
    dedupeKey: `webhook ${id} ${now.getTime()}`,
    title: webhookMessages.disabledTitle,
    text: `${url}\n${disabledWords[reason]}`,
    link: '/settings/developers',
    action: webhookMessages.disabledAction,
  })
}

/** Older than the job that was sent with it could be. */
const forgottenMs = 10 * second
const perSweep = 500

/** Finds endpoints with something due whose job or process was lost. */
export async function sweepDeliveries(system: System): Promise<void> {
  const before = new Date(system.now().getTime() - forgottenMs)
  const forgotten = await listForgotten(system.db, everyoneScope(), before, perSweep)
  if (forgotten.length > 0)
    await enqueueDeliveries(
      system,
      system.db,
      forgotten.map((id) => ({ id, isPrompt: false })),
    )
}
