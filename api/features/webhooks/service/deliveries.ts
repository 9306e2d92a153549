import { webhookLimits } from '@flashsheet/contracts/webhooks/limits'
import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { IdParam } from '@flashsheet/contracts/input'
import type {
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryParam,
  WebhookSent,
} from '@flashsheet/contracts/webhooks/schema'
import type { Tx } from '@flashsheet/db/client'
import { inBatches } from '../../../core/batches.ts'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import { consumeRateLimit } from '../../../core/limits.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { enqueueDeliveries, retentionQueue } from '../jobs.ts'
import { deleteOldEvents, findDelivery, listDeliveryRows, restartDelivery } from '../queries/deliveries.ts'
import { findEndpoint, lockEndpoint, updateEndpoint } from '../queries/endpoints.ts'
import { deliveryDetailView, deliveryView } from '../view.ts'
import { emitTo } from './emit.ts'

/** The newest deliveries of an endpoint. Throws notFound. */
export async function listDeliveries(ctx: SubscriberCtx, { id }: IdParam): Promise<WebhookDelivery[]> {
  if (!(await findEndpoint(ctx.db, ctx.owner, id))) throw notFound(webhookMessages.endpointGone)
  const rows = await listDeliveryRows(ctx.db, ctx.owner, id, webhookLimits.listed)
  return rows.map(deliveryView)
}

/** One delivery with its body and the answers. Throws notFound. */
export async function getDelivery(ctx: SubscriberCtx, input: WebhookDeliveryParam): Promise<WebhookDeliveryDetail> {
  const row = await findDelivery(ctx.db, ctx.owner, input)
  if (!row) throw notFound(webhookMessages.deliveryGone)
  return deliveryDetailView(row)
}

/** Sends `ping` to an endpoint, even if it does not subscribe to it. Throws notFound, conflict while off, tooMany. */
export async function testEndpoint(ctx: SubscriberCtx, { id }: IdParam): Promise<WebhookSent> {
  await consumeRateLimit(ctx, 'webhookCallsPerArtist', ctx.owner)
  return await ctx.db.transaction(async (tx) => {
    await prepareCall(tx, ctx, id)
    const message = webhookMessages.ping
    const [_id = ''] = await emitTo(ctx, tx, ctx.owner, 'ping', [{ id, isFast: false }], { message })
    return { _id }
  })
}

/** Sends a delivery again, with its full number of tries. Throws notFound, conflict while the endpoint is off, tooMany. */
export async function resendDelivery(ctx: SubscriberCtx, input: WebhookDeliveryParam): Promise<WebhookSent> {
  await consumeRateLimit(ctx, 'webhookCallsPerArtist', ctx.owner)
  return await ctx.db.transaction(async (tx) => {
    await prepareCall(tx, ctx, input.id)
    if (!(await findDelivery(tx, ctx.owner, input))) throw notFound(webhookMessages.deliveryGone)
    await restartDelivery(tx, ctx.owner, input.deliveryId, ctx.now())
    await enqueueDeliveries(ctx, tx, [{ id: input.id, isFast: false }])
    return { _id: input.deliveryId }
  })
}

/** A call that the artist asks for does not wait for the end of a backoff. Throws notFound, conflict while off. */
async function prepareCall(tx: Tx, { owner }: SubscriberCtx, id: string): Promise<void> {
  const endpoint = await lockEndpoint(tx, owner, id)
  if (!endpoint) throw notFound(webhookMessages.endpointGone)
  if (endpoint.disabledAt) throw conflict(webhookMessages.switchedOff)
  await updateEndpoint(tx, owner, id, { backoffUntil: null })
}

const eventsPerBatch = 1000

/** Deletes expired events with their deliveries, in batches. If the worker stops, another job continues. */
export async function deleteExpiredEvents(system: System, stopping: AbortSignal): Promise<void> {
  const before = new Date(system.now().getTime() - webhookLimits.retentionDays * 86_400_000)
  const isMore = await inBatches(
    stopping,
    async () => (await deleteOldEvents(system.db, everyoneScope(), before, eventsPerBatch)) === eventsPerBatch,
  )
  if (isMore) await system.jobs.send(system.db, retentionQueue, {})
}
