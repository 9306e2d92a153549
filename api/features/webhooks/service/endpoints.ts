import { webhookLimits, webhookTypes, type WebhookType } from '@flashsheet/contracts/webhooks/limits'
import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { Deleted } from '@flashsheet/contracts/keys/schema'
import type { IdParam } from '@flashsheet/contracts/input'
import type {
  CreateWebhookEndpointInput,
  NewWebhookEndpoint,
  UpdateWebhookEndpointInput,
  WebhookEndpoint,
  WebhookSecret,
} from '@flashsheet/contracts/webhooks/schema'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { conflict, full, invalidField, notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { AddressRefused } from '../../../gateways/public-address.ts'
import { failPending, listLastDeliveries } from '../queries/deliveries.ts'
import {
  lockAndCountEndpoints,
  deleteEndpoint,
  findEndpointByRequest,
  insertEndpoint,
  listEndpointRows,
  listSecrets,
  lockEndpoint,
  retireSecret,
  updateEndpoint,
} from '../queries/endpoints.ts'
import { endpointView } from '../view.ts'
import { createSecret, openNewestSecret } from './secrets.ts'

const hourMs = 60 * 60_000

const sorted = (events: readonly WebhookType[]) => webhookTypes.filter((type) => events.includes(type))

/** The artist's endpoints without their secrets, newest first. */
export async function listEndpoints(ctx: SubscriberCtx): Promise<WebhookEndpoint[]> {
  const last = await listLastDeliveries(ctx.db, ctx.owner)
  return (await listEndpointRows(ctx.db, ctx.owner)).map((row) => endpointView(row, last.get(row.id)))
}

/**
 * Adds an endpoint and returns it with its secret. A repeat with the same request id returns the first one. Throws
 * invalid for an address that may not be called, full at the eleventh, conflict for a reused request id.
 */
export async function createEndpoint(
  ctx: SubscriberCtx,
  input: CreateWebhookEndpointInput,
): Promise<NewWebhookEndpoint> {
  const url = checkedUrl(ctx, input.url)
  const events = sorted(input.events)
  const requestId = input.requestId ?? newId()
  const requestHash = sha256(JSON.stringify([url, events, input.description]))
  const now = ctx.now()
  return await ctx.db.transaction(async (tx) => {
    // The lock serializes the artist's calls, so that a repeat finds the endpoint of the first call.
    const count = await lockAndCountEndpoints(tx, ctx.owner)
    const existing = await findEndpointByRequest(tx, ctx.owner, requestId)
    if (existing) {
      if (existing.requestHash !== requestHash) throw conflict(webhookMessages.requestReused)
      const secret = await openNewestSecret(tx, ctx.config, ctx.owner, existing.id, now)
      const last = await listLastDeliveries(tx, ctx.owner)
      return { ...endpointView(existing, last.get(existing.id)), secret }
    }
    if (count >= webhookLimits.endpointsPerArtist) throw full(webhookMessages.full)
    const { description } = input
    const row = { id: newId(), url, events, description, createdAt: now, disabledAt: null, disabledReason: null }
    await insertEndpoint(tx, ctx.owner, { ...row, requestId, requestHash })
    return { ...endpointView(row, undefined), secret: await createSecret(tx, ctx.config, row.id, now) }
  })
}

/** Changes an endpoint. Switching it off fails its pending deliveries. Throws notFound, invalid. */
export async function updateEndpointOf(
  ctx: SubscriberCtx,
  input: UpdateWebhookEndpointInput,
): Promise<WebhookEndpoint> {
  const url = input.url === undefined ? undefined : checkedUrl(ctx, input.url)
  return await ctx.db.transaction(async (tx) => {
    const row = await lockEndpoint(tx, ctx.owner, input.id)
    if (!row) throw notFound(webhookMessages.endpointGone)
    const isOn = row.disabledAt === null
    const turnsOff = input.active === false && isOn
    const turnsOn = input.active === true && !isOn
    const changes = {
      ...(url === undefined ? {} : { url }),
      ...(input.events === undefined ? {} : { events: sorted(input.events) }),
      ...(input.description === undefined ? {} : { description: input.description }),
      ...(turnsOff ? { disabledAt: ctx.now(), disabledReason: 'switched_off' as const } : {}),
      ...(turnsOn ? { disabledAt: null, disabledReason: null } : {}),
    }
    // Failures of the former address do not count for a new one.
    const forgetsFailures = turnsOn || (url !== undefined && url !== row.url)
    const health = forgetsFailures ? { failures: 0, failingSince: null, isFast: false, backoffUntil: null } : {}
    const patch = { ...changes, ...health }
    if (Object.keys(patch).length > 0) await updateEndpoint(tx, ctx.owner, row.id, patch)
    if (turnsOff) await failPending(tx, everyoneScope(), row.id)
    const last = await listLastDeliveries(tx, ctx.owner)
    return endpointView({ ...row, ...changes }, last.get(row.id))
  })
}

/** Deletes an endpoint with its deliveries. Throws notFound. */
export async function removeEndpoint(ctx: SubscriberCtx, { id }: IdParam): Promise<Deleted> {
  if (!(await deleteEndpoint(ctx.db, ctx.owner, id))) throw notFound(webhookMessages.endpointGone)
  return { deleted: true }
}

/** Replaces the secret; the previous one still signs for a day. Throws notFound, conflict when too many still sign. */
export async function rotateSecret(ctx: SubscriberCtx, { id }: IdParam): Promise<WebhookSecret> {
  const now = ctx.now()
  return await ctx.db.transaction(async (tx) => {
    if (!(await lockEndpoint(tx, ctx.owner, id))) throw notFound(webhookMessages.endpointGone)
    if ((await listSecrets(tx, ctx.owner, id, now)).length >= webhookLimits.secretsMax)
      throw conflict(webhookMessages.rotatedTooOften)
    await retireSecret(tx, id, new Date(now.getTime() + webhookLimits.oldSecretHours * hourMs))
    return { secret: await createSecret(tx, ctx.config, id, now) }
  })
}

/** The normalized address. Throws invalid if it may not be called. */
function checkedUrl({ gateways }: System, address: string): string {
  try {
    return gateways.webhookEndpoints.check(address).href
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error
    throw invalidField('url', webhookMessages.urlRefused)
  }
}
