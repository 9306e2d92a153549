import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { SubscriberCtx } from '../../../core/context.ts'
import { invalid, tooMany } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { findItems, type MediaRow } from '../queries/items.ts'
import { mediaItemView } from '../view.ts'
import {
  formHash,
  formMadeBefore,
  hashing,
  recordForm,
  refuseOtherForm,
  type FileFacts,
  type FormRequest,
} from './form-requests.ts'
import { addToLibrary, beginUpload, discardUploads, refuseWhenFull, type AlsoWrite } from './ingest.ts'
import { prepareItem, type ArrivedFile } from './prepare-item.ts'
import { discardBody, readForm, type FormFile } from './read-form.ts'

/** Forms of one artist that a process reads at a time: each file waits for the artist's library, and holds one of the ten connections meanwhile. */
const mostForms = 6
const tooManySeconds = 5
const reading = new Map<string, number>()

/** Reads a form unless as many of this artist's are being read as may be. Throws tooMany. */
async function oneOfFew<T>(owner: string, read: () => Promise<T>): Promise<T> {
  const others = reading.get(owner) ?? 0
  if (others >= mostForms) throw tooMany(tooManySeconds, mediaMessages.tooManyForms)
  reading.set(owner, others + 1)
  try {
    return await read()
  } finally {
    const left = (reading.get(owner) ?? 1) - 1
    if (left > 0) reading.set(owner, left)
    else reading.delete(owner)
  }
}

/**
 * Takes every file of a multipart request's field `files` into the library, or none of them, streaming each to disk.
 * Answers in the order sent. `also` writes what belongs to it in the same transaction. A repeat with the same request id stores nothing
 * and answers what the first one made, as far as the library still has it. Throws invalid, tooLarge, tooMany or full with a message for
 * the artist, and conflict for a request id used for another form.
 */
export async function receiveForm(
  ctx: SubscriberCtx,
  request: IncomingMessage,
  asked: FormRequest,
  also?: AlsoWrite,
): Promise<MediaItem[]> {
  try {
    const known = await formMadeBefore(ctx, asked)
    if (!known) return await storeForm(ctx, request, asked, also)
    refuseOtherForm(known, formHash(asked, await oneOfFew(ctx.owner, async () => await readForm(request, look))))
    return await itemsOf(ctx, known.made)
  } catch (error) {
    await discardBody(request)
    throw error
  }
}

/** Reads a file without storing it: a full library or disk refuses no repeat. */
async function look({ fileName, bytes }: FormFile): Promise<FileFacts> {
  const file = hashing(fileName, bytes)
  for await (const _chunk of file.bytes);
  return file.facts()
}

async function itemsOf(ctx: SubscriberCtx, made: readonly string[]): Promise<MediaItem[]> {
  const rows = new Map((await findItems(ctx.db, ctx.owner, made)).map((row) => [row.id, row]))
  return made.flatMap((id) => {
    const row = rows.get(id)
    return row ? [mediaItemView(row)] : []
  })
}

async function storeForm(
  ctx: SubscriberCtx,
  request: IncomingMessage,
  asked: FormRequest,
  also?: AlsoWrite,
): Promise<MediaItem[]> {
  const ids: string[] = []
  let requestHash: string | undefined
  try {
    await ctx.gateways.diskSpace.requireSpace(Number(request.headers['content-length'] ?? 0))
    await refuseWhenFull(ctx.db, ctx.owner)
    const facts: (() => FileFacts)[] = []
    const arrived = await oneOfFew(
      ctx.owner,
      async () =>
        await readForm(request, async (file) => {
          if (asked.requestId === undefined) return await storeFile(ctx, file, ids)
          const { bytes, facts: factsOf } = hashing(file.fileName, file.bytes)
          facts.push(factsOf)
          return await storeFile(ctx, { ...file, bytes }, ids)
        }),
    )
    if (arrived.length === 0) throw invalid(mediaMessages.emptyPick)
    const hash = formHash(
      asked,
      facts.map((factsOf) => factsOf()),
    )
    requestHash = hash
    await refuseWhenFull(ctx.db, ctx.owner, arrived.length)
    const prepared: MediaRow[] = []
    for (const file of arrived) prepared.push(await prepareItem(ctx, ctx.owner, file))
    const added = await addToLibrary(ctx, ctx.owner, prepared, async (tx, rows) => {
      await recordForm(ctx, tx, asked, { requestHash: hash, made: rows.map((row) => row.id) })
      await also?.(tx, rows)
    })
    return added.map(mediaItemView)
  } catch (error) {
    await discardUploads(ctx, ctx.owner, ids, error)
    // The same form, sent at the same time, may have been faster, and have taken the last places of the library.
    const first = requestHash === undefined ? undefined : await formMadeBefore(ctx, asked)
    if (!first || requestHash === undefined) throw error
    refuseOtherForm(first, requestHash)
    return await itemsOf(ctx, first.made)
  }
}

/** Streams a file of the request to disk; `ids` gets its id before its first byte is stored. */
async function storeFile(
  ctx: SubscriberCtx,
  { fileName, claimedType, bytes }: FormFile,
  ids: string[],
): Promise<ArrivedFile> {
  const id = newId()
  ids.push(id)
  await beginUpload(ctx, ctx.owner, {
    id,
    userId: ctx.owner,
    source: 'form',
    fileName,
    mimeType: claimedType,
    bytes: 0,
    createdAt: ctx.now(),
  })
  await ctx.gateways.storage.partialUploads.receive(id, Readable.from(bytes))
  return { id, fileName, claimedType }
}
