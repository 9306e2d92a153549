import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { declaredType, declaredFileRefusal } from '@flashsheet/contracts/media/rules'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { FromUrlInput, FromUrlJob, FromUrlParam, FromUrlState } from '@flashsheet/contracts/media/schema'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { errorLine } from '../../../core/describe-error.ts'
import { AppError, conflict, invalid, invalidField, notFound, tooLarge, tooMany } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { withLease } from '../../../core/leases.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import { AddressRefused } from '../../../gateways/public-address.ts'
import { fetchFromUrlQueue } from '../jobs.ts'
import {
  countOpenFetches,
  endFetch,
  findFetch,
  findFetchByRequest,
  findOpenFetch,
  insertFetch,
  type FetchRow,
} from '../queries/fetches.ts'
import { findItem, lockLibrary } from '../queries/items.ts'
import { deleteUnfinishedUploads } from '../queries/uploads.ts'
import { cleanFileName } from '../rules/file-name.ts'
import { sizeRule } from '../rules/refusals.ts'
import { mediaItemView } from '../view.ts'
import { addToLibrary, beginUpload, discardUploads, refuseWhenFull } from './ingest.ts'
import { prepareItem } from './prepare-item.ts'
import { removeFiles } from './remove.ts'

/** A fetch that is slower than this on average fails, because a few slow servers would occupy all workers. */
const minPace = { graceMs: 30_000, bytesPerSecond: 300_000 }
const fetchTimeoutMs = minPace.graceMs + (mediaLimits.videoBytes / minPace.bytesPerSecond) * 1000
const pollMs = 250
const retrySeconds = 30
const leaseWaitMs = 1000

/**
 * Queues the fetch of a picture or video into the library (`POST /api/media/from-url`). A repeat with the same request
 * id returns the first job. Throws invalid for an address that may not be called, full, tooMany while too many fetches
 * of the artist go on, and conflict for a request id used for another address.
 */
export async function fetchFromUrl(ctx: SubscriberCtx, input: FromUrlInput): Promise<FromUrlJob> {
  const url = checkAddress(ctx, input.url)
  const id = newId()
  const requestId = input.requestId ?? id
  const known = await findFetchByRequest(ctx.db, ctx.owner, requestId)
  if (known) return jobOfRepeat(known, url)
  await refuseWhenFull(ctx.db, ctx.owner)
  const row = { id, userId: ctx.owner, requestId, url, state: 'fetching' as const, createdAt: ctx.now() }
  const isInserted = await ctx.db.transaction(async (tx) => {
    await lockLibrary(tx, ctx.owner)
    const open = await countOpenFetches(tx, ctx.owner)
    if (!(await insertFetch(tx, row))) return false
    if (open >= mediaLimits.unfinishedUploads) throw tooMany(retrySeconds, mediaMessages.tooManyFetching)
    // The fetches of one artist do not delay the first of another.
    await ctx.jobs.send(tx, fetchFromUrlQueue, { id }, { priority: -open, group: ctx.owner })
    return true
  })
  if (isInserted) return { _id: id }
  // A concurrent repeat inserted it first.
  const first = await findFetchByRequest(ctx.db, ctx.owner, requestId)
  if (!first) throw conflict(mediaMessages.requestReused)
  return jobOfRepeat(first, url)
}

function jobOfRepeat(known: FetchRow, url: string): FromUrlJob {
  if (known.url !== url) throw conflict(mediaMessages.requestReused)
  return { _id: known.id }
}

function checkAddress({ gateways }: System, address: string): string {
  try {
    return gateways.ssrfSafeFetch.check(address).href
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error
    throw invalidField('url', mediaMessages.addressRefused)
  }
}

/** The state of a fetch (`GET /api/media/from-url/:jobId`). Throws notFound. */
export async function getFromUrlState(ctx: SubscriberCtx, { jobId }: FromUrlParam): Promise<FromUrlState> {
  const row = await findFetch(ctx.db, ctx.owner, jobId)
  if (!row) throw notFound()
  const item = row.state === 'done' ? await findItem(ctx.db, ctx.owner, row.id) : undefined
  return {
    state: row.state,
    ...(item ? { item: mediaItemView(item) } : {}),
    ...(row.message === null ? {} : { message: row.message }),
  }
}

/** Like `fetchFromUrl`, but waits up to 10 s for the result: files that an assistant fetches are mostly small. */
export async function fetchAndWait(ctx: SubscriberCtx, input: FromUrlInput): Promise<FromUrlJob & FromUrlState> {
  const { _id } = await fetchFromUrl(ctx, input)
  const until = performance.now() + ctx.interactiveTimeoutMs
  let state = await getFromUrlState(ctx, { jobId: _id })
  while (state.state === 'fetching' && performance.now() < until) {
    await sleep(pollMs)
    state = await getFromUrlState(ctx, { jobId: _id })
  }
  return { _id, ...state }
}

/**
 * Runs the fetch job; does nothing once the fetch has ended. Safe to repeat after a crash. Throws unavailable while
 * another run of it goes on: the queue repeats a job after 15 minutes, and a slow fetch may take longer.
 */
export async function runFetch(system: System, { id }: { id: string }, stopping: AbortSignal): Promise<void> {
  await withLease(system, `fetch:${id}`, leaseWaitMs, async () => await runUnderLease(system, id, stopping))
}

async function runUnderLease(system: System, id: string, stopping: AbortSignal): Promise<void> {
  const row = await findOpenFetch(system.db, everyoneScope(), id)
  if (!row) return
  const owner = ownerScope(row.userId)
  try {
    await fetchAndIngest(system, row, stopping)
  } catch (error) {
    const message = reasonOf(error)
    // The job repeats a fetch that we failed ourselves, or that a stop interrupted. The next run deletes what this one
    // has stored: a job that deletes it later would delete the files of that run, which has the same id.
    if (stopping.aborted || message === undefined) throw error
    if (!(error instanceof AppError))
      system.log.info({ reason: errorLine(error), fetchId: id }, 'an address from outside could not be fetched')
    await endFetch(system.db, owner, id, { state: 'failed', message })
    await discardUploads(system, owner, [id], error)
  }
}

/** The address could not be read: its server is down, broke off, or was too slow. */
class AddressFailed extends Error {
  constructor(cause: unknown) {
    super(mediaMessages.addressFailed, { cause })
    this.name = 'AddressFailed'
  }
}

/** The reason for the artist, or undefined when the fetch failed because of us. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof AddressRefused) return mediaMessages.addressRefused
  if (error instanceof AddressFailed) return error.message
  if (error instanceof AppError && error.kind !== 'internal' && error.kind !== 'unavailable') return error.message
  return undefined
}

async function fetchAndIngest(system: System, { id, userId, url }: FetchRow, stopping: AbortSignal): Promise<void> {
  const owner = ownerScope(userId)
  await deleteUnfinishedUploads(system.db, owner, [id])
  await removeFiles(system, [id])
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(fetchTimeoutMs)])
  const response = await system.gateways.ssrfSafeFetch.read(url, signal).catch((error: unknown) => {
    throw error instanceof AddressRefused ? error : new AddressFailed(error)
  })
  const { body } = response
  if (!body) throw invalid(mediaMessages.addressFailed)
  try {
    if (!response.ok) throw invalid(mediaMessages.addressFailed)
    const fileName = cleanFileName(decodeOrKeep(new URL(url).pathname.split('/').at(-1) ?? ''))
    const claimed = declaredType(response.headers.get('content-type'), fileName)
    const bytes = Number(response.headers.get('content-length') ?? 0)
    const refusal = declaredFileRefusal(claimed, bytes)
    if (refusal !== undefined) throw invalid(refusal)
    await system.gateways.diskSpace.requireSpace(bytes)
    // With the source of a form: it cannot be resumed, and a sweep deletes what a crash leaves behind.
    await beginUpload(system, owner, { id, source: 'form', fileName, mimeType: claimed, bytes: 0 })
    // Kept as a web stream: one of Node's would end the process if the connection broke before the first read.
    const bytesOfFile = Readable.from(limited(fromAddress(body), sizeRule(claimed), system.now))
    await system.gateways.storage.partialUploads.receive(id, bytesOfFile)
    const item = await prepareItem(system, owner, { id, fileName, declaredType: claimed })
    await addToLibrary(system, owner, [item], async (tx) => {
      // The sweep may have failed it meanwhile, and its caller may know.
      if (!(await endFetch(tx, owner, id, { state: 'done' }))) throw conflict(mediaMessages.addressFailed)
    })
  } finally {
    // Closes the connection if the body was not read to its end.
    await body.cancel().catch(() => undefined)
  }
}

/** Passes bytes on. Throws AddressFailed when they break off. */
async function* fromAddress(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    throw new AddressFailed(error)
  }
}

/** Passes bytes on. Throws tooLarge beyond the size limit, and invalid below the minimum pace. */
async function* limited(
  stream: AsyncIterable<Uint8Array>,
  rule: { bytes: number; message: string },
  now: System['now'],
): AsyncGenerator<Uint8Array> {
  const startedAt = now().getTime()
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > rule.bytes) throw tooLarge(rule.message)
    if (now().getTime() - startedAt > minPace.graceMs + (size / minPace.bytesPerSecond) * 1000)
      throw invalid(mediaMessages.addressFailed)
    yield chunk
  }
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
