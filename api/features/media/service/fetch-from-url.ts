import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { claimedType, refuseDeclaredFile } from '@flashsheet/contracts/media/rules'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { FromUrlInput, FromUrlJob, FromUrlParam, FromUrlState } from '@flashsheet/contracts/media/schema'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { errorLine } from '../../../core/describe-error.ts'
import { AppError, conflict, invalid, notFound, tooLarge } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import { ForeignAddressRefused } from '../../../gateways/foreign-address.ts'
import { enqueueFetchFromUrl } from '../jobs.ts'
import {
  endFetch,
  failFetches,
  findFetch,
  findFetchByRequest,
  findOpenFetch,
  insertFetch,
  type FetchRow,
} from '../queries/fetches.ts'
import { findItem } from '../queries/items.ts'
import { cleanFileName } from '../rules/file-name.ts'
import { sizeRule } from '../rules/refusals.ts'
import { mediaItemView } from '../view.ts'
import { addToLibrary, beginUpload, discardUploads, refuseWhenFull } from './ingest.ts'
import { prepareItem } from './prepare-item.ts'

/** A server that is slower than this on average is given up, so that few of them do not keep everybody else waiting. */
const pace = { graceMs: 30_000, bytesPerSecond: 300_000 }
const wholeMs = pace.graceMs + (mediaLimits.videoBytes / pace.bytesPerSecond) * 1000
/** What is not done by then has lost its job. */
const lostMs = 60 * 60_000
/** Poll interval of a call that waits for its file. */
const lookMs = 250

/**
 * Has a picture or video fetched into the library (`POST /api/media/from-url`). A repeat with the same request id answers the first
 * job. Throws invalid for an address that may not be called, full, and conflict for a request id used for another address.
 */
export async function fetchFromUrl(ctx: SubscriberCtx, input: FromUrlInput): Promise<FromUrlJob> {
  const url = checked(ctx, input.url)
  const id = newId()
  const requestId = input.requestId ?? id
  const known = await findFetchByRequest(ctx.db, ctx.owner, requestId)
  if (known) return sameRequest(known, url)
  await refuseWhenFull(ctx.db, ctx.owner)
  const row: FetchRow = {
    id,
    userId: ctx.owner,
    requestId,
    url,
    state: 'fetching',
    message: null,
    createdAt: ctx.now(),
  }
  const isMine = await ctx.db.transaction(async (tx) => {
    if (!(await insertFetch(tx, row))) return false
    await enqueueFetchFromUrl(ctx, tx, id)
    return true
  })
  if (isMine) return { _id: id }
  // The same call at the same time was quicker.
  const first = await findFetchByRequest(ctx.db, ctx.owner, requestId)
  if (!first) throw conflict(mediaMessages.requestReused)
  return sameRequest(first, url)
}

function sameRequest(known: FetchRow, url: string): FromUrlJob {
  if (known.url !== url) throw conflict(mediaMessages.requestReused)
  return { _id: known.id }
}

function checked({ gateways }: System, address: string): string {
  try {
    return gateways.foreign.check(address).href
  } catch (error) {
    if (!(error instanceof ForeignAddressRefused)) throw error
    throw invalid(mediaMessages.addressRefused, { url: mediaMessages.addressRefused })
  }
}

/** What became of a fetch (`GET /api/media/from-url`). Throws notFound. */
export async function fetchedFromUrl(ctx: SubscriberCtx, { jobId }: FromUrlParam): Promise<FromUrlState> {
  const row = await findFetch(ctx.db, ctx.owner, jobId)
  if (!row) throw notFound()
  const item = row.state === 'done' ? await findItem(ctx.db, ctx.owner, row.id) : undefined
  return {
    state: row.state,
    ...(item ? { item: mediaItemView(item) } : {}),
    ...(row.message === null ? {} : { message: row.message }),
  }
}

/** As `fetchFromUrl`, and waits a few seconds for its end: what an assistant asks for is mostly small. */
export async function fetchAndWait(ctx: SubscriberCtx, input: FromUrlInput): Promise<FromUrlJob & FromUrlState> {
  const { _id } = await fetchFromUrl(ctx, input)
  const until = performance.now() + ctx.personWaitsMs
  let state = await fetchedFromUrl(ctx, { jobId: _id })
  while (state.state === 'fetching' && performance.now() < until) {
    await sleep(lookMs)
    state = await fetchedFromUrl(ctx, { jobId: _id })
  }
  return { _id, ...state }
}

/** Fetches what was asked for; does nothing once that has come to its end. Runs again after a crash. */
export async function runFetch(system: System, id: string, stopping: AbortSignal): Promise<void> {
  const row = await findOpenFetch(system.db, everyoneScope(), id)
  if (!row) return
  const owner = ownerScope(row.userId)
  try {
    await take(system, row, stopping)
  } catch (error) {
    await discardUploads(system, owner, [id], error)
    if (stopping.aborted) throw error
    const isOurs = error instanceof AppError && error.kind !== 'internal' && error.kind !== 'unavailable'
    if (error instanceof AppError && !isOurs) throw error
    if (!(error instanceof AppError))
      system.log.info({ reason: errorLine(error), fetchId: id }, 'an address from outside could not be fetched')
    const message =
      error instanceof AppError
        ? error.message
        : error instanceof ForeignAddressRefused
          ? mediaMessages.addressRefused
          : mediaMessages.addressFailed
    await endFetch(system.db, owner, id, { state: 'failed', message })
  }
}

async function take(system: System, { id, userId, url }: FetchRow, stopping: AbortSignal): Promise<void> {
  const owner = ownerScope(userId)
  await discardUploads(system, owner, [id], undefined)
  const response = await system.gateways.foreign.read(url, AbortSignal.any([stopping, AbortSignal.timeout(wholeMs)]))
  const { body } = response
  if (!body) throw invalid(mediaMessages.addressFailed)
  try {
    if (!response.ok) throw invalid(mediaMessages.addressFailed)
    const fileName = cleanFileName(decoded(new URL(url).pathname.split('/').at(-1) ?? ''))
    const claimed = claimedType(response.headers.get('content-type'), fileName)
    const bytes = Number(response.headers.get('content-length') ?? 0)
    const refusal = refuseDeclaredFile(claimed, bytes)
    if (refusal !== undefined) throw invalid(refusal)
    await system.gateways.diskSpace.requireSpace(bytes)
    // As a file of a form: it is taken whole or not at all, and a sweep removes what a crash leaves.
    const begun = { id, userId: owner, source: 'form' as const, fileName, mimeType: claimed, bytes: 0 }
    await beginUpload(system, owner, { ...begun, createdAt: system.now() })
    // Read as a web stream: one of Node's would end the process when its connection breaks before anybody reads it.
    await system.gateways.storage.partialUploads.receive(id, Readable.from(paced(body, sizeRule(claimed), system.now)))
    const item = await prepareItem(system, owner, { id, fileName, claimedType: claimed })
    await addToLibrary(system, owner, [item], async (tx) => await endFetch(tx, owner, id, { state: 'done' }))
  } finally {
    // What was not read to its end is let go.
    await body.cancel().catch(() => undefined)
  }
}

async function* paced(
  stream: AsyncIterable<Uint8Array>,
  rule: { bytes: number; message: string },
  now: System['now'],
): AsyncGenerator<Uint8Array> {
  const begun = now().getTime()
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > rule.bytes) throw tooLarge(rule.message)
    if (now().getTime() - begun > pace.graceMs + (size / pace.bytesPerSecond) * 1000)
      throw invalid(mediaMessages.addressFailed)
    yield chunk
  }
}

/** Ends the fetches whose job was lost or tried in vain, so that whoever waits is told. */
export async function endLostFetches(system: System): Promise<void> {
  await failFetches(system.db, everyoneScope(), new Date(system.now().getTime() - lostMs), mediaMessages.addressFailed)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
