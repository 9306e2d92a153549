import { createHash } from 'node:crypto'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import { readAtMost } from '../../../core/body.ts'
import type { SignedInCtx, System } from '../../../core/context.ts'
import { errorLine } from '../../../core/describe-error.ts'
import { AppError, notFound } from '../../../core/errors.ts'
import { RetryLater } from '../../../core/jobs.ts'
import type { HttpContext } from '../../../core/rest.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { AddressRefused } from '../../../gateways/public-address.ts'
import { NetworkError, type PageProfile, type Tokens } from '../../../gateways/networks/adapter.ts'
import { runFileTask } from '../../media/service/file-tasks.ts'
import { serveStored } from '../../media/service/serve.ts'
import { deletePicturesQueue, profileQueue } from '../jobs.ts'
import { findAccount, lockAccount, type AccountRow } from '../queries/accounts.ts'
import {
  clearPictures,
  isPictureNeeded,
  isPictureShown,
  listPendingPictures,
  saveProfile,
  resolvePicture,
  type PendingPicture,
  type PictureRow,
} from '../queries/pictures.ts'
import { hasExpired, isTemporary } from '../rules.ts'
import { connectStepsOf, openTokens, pagesWithTokens } from './tokens.ts'

const maxBytes = 5_000_000
const downloadTimeoutMs = 15_000
/** An agency's login may have hundreds of pages, which would occupy the worker. The others show their initials. */
const maxPicturesPerAccount = 50

/** A picture that cannot be copied; a retry would fail the same way. */
class PictureUnusable extends Error {
  override name = 'PictureUnusable'
}

const keyOf = (pageRowId: string, pictureFile: string) => `page-pictures/${pageRowId}/${pictureFile}`

/** Queues the copying of the pages' pictures after a consent. The caller must store their addresses. */
export async function enqueuePictureCopies(
  tx: Tx,
  system: System,
  owner: OwnerId,
  accountId: string,
  pages: readonly Pick<PageProfile, 'pageId' | 'picture'>[],
): Promise<void> {
  const without = pages.filter(({ picture }) => picture === null).map(({ pageId }) => pageId)
  await enqueuePictureDeletion(tx, system, await clearPictures(tx, owner, accountId, without))
  if (without.length < pages.length) await system.jobs.send(tx, profileQueue, { owner, accountId, asks: false })
}

/** Queues the deletion of copies whose rows the caller's transaction deletes or clears. */
export async function enqueuePictureDeletion(tx: Tx, system: System, pages: readonly PictureRow[]): Promise<void> {
  const keys = pages.flatMap(({ id, pictureFile }) => (pictureFile === null ? [] : [keyOf(id, pictureFile)]))
  if (keys.length > 0) await system.jobs.send(tx, deletePicturesQueue, { keys })
}

/** Deletes copies, except those that a page has again: a copy's name is a hash of its bytes, and the job may run late. */
export async function deletePictures(system: System, { keys }: { keys: readonly string[] }): Promise<void> {
  for (const key of keys) {
    const [, id = '', pictureFile = ''] = key.split('/')
    if (!(await isPictureNeeded(system.db, everyoneScope(), id, pictureFile))) await system.gateways.storage.remove(key)
  }
}

/** Serves the copy of a page's picture to its artist. Throws notFound, also for another artist's page. */
export async function servePicture(ctx: SignedInCtx, c: HttpContext): Promise<Response> {
  const [id, pictureFile] = [c.req.param('id') ?? '', c.req.param('file') ?? '']
  const isName = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(id)
  if (!isName || !(await isPictureShown(ctx.db, ctx.owner, id, pictureFile))) throw notFound()
  return await serveStored(ctx, c, {
    key: keyOf(id, pictureFile),
    contentType: 'image/webp',
    etag: `"${pictureFile}"`,
    // The name contains a hash of the bytes.
    cacheControl: 'private, max-age=31536000, immutable',
  })
}

/**
 * Copies the pictures of an account's pages; with `asks` it first fetches the pages' names and pictures from the
 * network. Throws after a temporary failure, so that the job is retried. A picture that cannot be copied leaves the
 * previous copy.
 */
export async function updateProfile(
  system: System,
  job: { owner: string; accountId: string; asks: boolean },
  stopping: AbortSignal,
): Promise<void> {
  const owner = ownerScope(job.owner)
  const account = await findAccount(system.db, owner, job.accountId)
  if (!account || hasExpired(account, system.now())) return
  const tokens = openTokens(system, account)
  if (job.asks) await refreshProfiles(system, owner, account, tokens)
  let retryableError: unknown
  for (const page of await listPendingPictures(system.db, owner, account.id, maxPicturesPerAccount)) {
    if (stopping.aborted) throw new RetryLater('this process is ending')
    try {
      await copyPicture(system, owner, account, tokens, page, stopping)
    } catch (error) {
      if (stopping.aborted) throw new RetryLater('this process is ending')
      if (isRetryable(error)) retryableError = error
      else await giveUp(system, owner, account, page, error)
    }
  }
  if (retryableError !== undefined) throw retryableError
}

async function refreshProfiles(system: System, owner: OwnerId, account: AccountRow, tokens: Tokens): Promise<void> {
  const pages = await pagesWithTokens(system, owner, account)
  let profiles: PageProfile[]
  try {
    profiles = await connectStepsOf(system, account.platform).profiles({ tokens, pages })
  } catch (error) {
    // The next refresh of the tokens tries again. An invalid token is detected where it is used.
    if (!(error instanceof NetworkError)) throw error
    return system.log.info({ reason: errorLine(error), accountId: account.id }, 'a network did not describe its pages')
  }
  await system.db.transaction(async (tx) => {
    if (!(await lockAccount(tx, owner, account.id))) return
    for (const profile of profiles) await saveProfile(tx, owner, account.id, profile)
    const without = profiles.filter(({ picture }) => picture === null).map(({ pageId }) => pageId)
    await enqueuePictureDeletion(tx, system, await clearPictures(tx, owner, account.id, without))
    await notifyLive(tx, { owner, topic: 'social', id: account.id })
  })
}

async function copyPicture(
  system: System,
  owner: OwnerId,
  account: AccountRow,
  tokens: Tokens,
  page: PendingPicture,
  stopping: AbortSignal,
): Promise<void> {
  const { pictureAddress } = connectStepsOf(system, account.platform)
  const address = pictureAddress ? await pictureAddress(tokens, page.pictureSource) : page.pictureSource
  if (address === null) throw new PictureUnusable('the network names no address')
  const source = await download(system, address, AbortSignal.any([stopping, AbortSignal.timeout(downloadTimeoutMs)]))
  const avatar = await runFileTask(system, owner, 'drawAvatar', source)
  const pictureFile = `${createHash('sha256').update(avatar).digest('hex').slice(0, 16)}.webp`
  // A process that dies before the transaction leaves this file to the sweep of orphaned files.
  await system.gateways.storage.put(keyOf(page.id, pictureFile), avatar)
  await system.db.transaction(async (tx) => {
    if (!(await resolvePicture(tx, owner, page, pictureFile)))
      return await enqueuePictureDeletion(tx, system, [{ id: page.id, pictureFile }])
    if (page.pictureFile !== pictureFile) await enqueuePictureDeletion(tx, system, [page])
    await notifyLive(tx, { owner, topic: 'social', id: account.id })
  })
}

/** Downloads a picture. Throws AddressRefused, PictureUnusable, or the error of the request. */
async function download(system: System, address: string, signal: AbortSignal): Promise<Uint8Array> {
  const response = await system.gateways.pagePictures.read(address, signal)
  const { body, status } = response
  try {
    if (status >= 500 || status === 429) throw new Error(`a picture was answered with ${status}`)
    if (!response.ok || !body) throw new PictureUnusable(`it was answered with ${status}`)
    return await readAtMost(body, maxBytes, () => new PictureUnusable('it is too large'))
  } finally {
    await body?.cancel().catch(() => undefined)
  }
}

/** Whether a later try may succeed. */
function isRetryable(error: unknown): boolean {
  if (error instanceof AppError) return error.kind !== 'invalid'
  if (error instanceof NetworkError) return isTemporary(error)
  return !(error instanceof PictureUnusable || error instanceof AddressRefused)
}

async function giveUp(system: System, owner: OwnerId, account: AccountRow, page: PendingPicture, error: unknown) {
  system.log.info({ reason: errorLine(error), accountId: account.id }, "a page's picture could not be copied")
  await resolvePicture(system.db, owner, page, page.pictureFile)
}
