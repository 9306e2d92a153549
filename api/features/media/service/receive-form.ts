import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { SubscriberCtx } from '../../../core/context.ts'
import { invalid } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { findItems, type MediaRow } from '../queries/items.ts'
import { inOrder } from '../rules/in-order.ts'
import { mediaItemView } from '../view.ts'
import { withinFormLimit } from './form-limit.ts'
import {
  formHash,
  findEarlierForm,
  hashing,
  recordForm,
  refuseOtherForm,
  type FileFacts,
  type FormRequest,
} from './form-requests.ts'
import { addToLibrary, beginUpload, discardUploads, refuseWhenFull, type AlsoWrite } from './ingest.ts'
import { prepareItem } from './prepare-item.ts'
import { discardBody, readLibraryForm, type FormFile } from './read-form.ts'

/**
 * Takes every file of a multipart request's field `files` into the library, or none of them, streaming each to disk.
 * Returns the items in the order sent. `alsoWrite` runs in the same transaction. A repeat with the same request id
 * stores nothing and returns the first result, without items that were deleted since. Throws invalid, tooLarge, tooMany
 * or full with a message for the artist, and conflict for a request id used for another form.
 */
export async function receiveForm(
  ctx: SubscriberCtx,
  request: IncomingMessage,
  form: FormRequest,
  alsoWrite?: AlsoWrite,
): Promise<MediaItem[]> {
  try {
    const earlier = await findEarlierForm(ctx, form)
    if (!earlier) return await storeForm(ctx, request, form, alsoWrite)
    const files = await withinFormLimit(ctx.owner, async () => await readLibraryForm(request, hashOnly))
    refuseOtherForm(earlier, formHash(form, files))
    return await itemsOf(ctx, earlier.made)
  } catch (error) {
    await discardBody(request)
    throw error
  }
}

/** Reads a repeated file without storing it, so that a full library or disk does not refuse the repeat. */
async function hashOnly({ fileName, bytes }: FormFile): Promise<FileFacts> {
  const file = hashing(fileName, bytes)
  for await (const _chunk of file.bytes);
  return file.facts()
}

async function itemsOf(ctx: SubscriberCtx, mediaIds: readonly string[]): Promise<MediaItem[]> {
  return inOrder(mediaIds, await findItems(ctx.db, ctx.owner, mediaIds)).map(mediaItemView)
}

async function storeForm(ctx: SubscriberCtx, request: IncomingMessage, form: FormRequest, alsoWrite?: AlsoWrite) {
  const ids: string[] = []
  let requestHash: string | undefined
  try {
    await ctx.gateways.diskSpace.requireSpace(Number(request.headers['content-length'] ?? 0))
    await refuseWhenFull(ctx.db, ctx.owner)
    const facts: (() => FileFacts)[] = []
    const arrived = await withinFormLimit(
      ctx.owner,
      async () =>
        await readLibraryForm(request, async (file) => {
          if (form.requestId === undefined) return await storeFile(ctx, file, ids)
          const { bytes, facts: factsOf } = hashing(file.fileName, file.bytes)
          facts.push(factsOf)
          return await storeFile(ctx, { ...file, bytes }, ids)
        }),
    )
    if (arrived.length === 0) throw invalid(mediaMessages.emptyPick)
    const files = facts.map((factsOf) => factsOf())
    const hash = formHash(form, files)
    requestHash = hash
    await refuseWhenFull(ctx.db, ctx.owner, arrived.length)
    const prepared: MediaRow[] = []
    for (const file of arrived) prepared.push(await prepareItem(ctx, ctx.owner, file))
    const added = await addToLibrary(ctx, ctx.owner, prepared, async (tx, rows) => {
      await recordForm(ctx, tx, form, { requestHash: hash, made: rows.map((row) => row.id) })
      await alsoWrite?.(tx, rows)
    })
    return added.map(mediaItemView)
  } catch (error) {
    await discardUploads(ctx, ctx.owner, ids, error)
    // A concurrent repeat may have succeeded, possibly with the last places of the library.
    const first = requestHash === undefined ? undefined : await findEarlierForm(ctx, form)
    if (!first || requestHash === undefined) throw error
    refuseOtherForm(first, requestHash)
    return await itemsOf(ctx, first.made)
  }
}

/**
 * Streams a file of the request to disk. Adds its id to `ids` first, so that the caller can discard it. Throws invalid for a form of too many
 * files.
 */
async function storeFile(ctx: SubscriberCtx, { fileName, declaredType, bytes }: FormFile, ids: string[]) {
  // Each file of a form is an unfinished upload until the last one has arrived, so a larger form could never succeed.
  if (ids.length === mediaLimits.unfinishedUploads) throw invalid(mediaMessages.tooManyInForm)
  const id = newId()
  ids.push(id)
  await beginUpload(ctx, ctx.owner, { id, source: 'form', fileName, mimeType: declaredType, bytes: 0 })
  await ctx.gateways.storage.partialUploads.receive(id, Readable.from(bytes))
  return { id, fileName, declaredType }
}
