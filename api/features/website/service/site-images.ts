import { siteMessages } from '@flashsheet/contracts/website/messages'
import type { SiteImage } from '@flashsheet/contracts/website/schema'
import type { IncomingMessage } from 'node:http'
import type { Tx } from '@flashsheet/db/client'
import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { RequestCtx, StudioCtx, System } from '../../../core/context.ts'
import { newToken, sha256 } from '../../../core/crypto.ts'
import { notFound } from '../../../core/errors.ts'
import type { HttpContext } from '../../../core/rest.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import {
  formHash,
  findEarlierForm,
  recordForm,
  refuseOtherForm,
  type FormRequest,
} from '../../media/service/form-requests.ts'
import { withinFormLimit } from '../../media/service/form-limit.ts'
import { makeSitePictures, measureSitePicture } from '../../media/service/public-renditions.ts'
import { discardBody } from '../../media/service/read-form.ts'
import { receivePicture } from '../../media/service/receive-picture.ts'
import { serveStored } from '../../media/service/serve.ts'
import { sweepImagesQueue } from '../jobs.ts'
import {
  deleteUnfinishedImage,
  deleteUnusedImages,
  existingImages,
  findImageOwner,
  insertImage,
  listImages,
  listUnmeasuredLogos,
  setImageRenditions,
  setLightness,
} from '../queries/sites.ts'
import { pictureCaching } from '../rules.ts'
import { siteImageView } from '../view.ts'
import { notifySiteChange } from './gallery.ts'

const imagesFolder = 'site-images'
const imageId = /^[\w-]{22}$/
const folderOf = (id: string) => `${imagesFolder}/${id}`

/** How long an unused picture is retained: a draft in a browser may use it. */
const unusedDays = 7

/**
 * Stores a picture for the site and makes its public renditions (`/api/websitebuilder/image`). A repeat with the same
 * request id stores nothing and returns the first picture. Throws invalid, tooLarge or tooMany, conflict for a request id
 * used for another form, and notFound for a repeat whose picture is deleted.
 */
export async function receiveSiteImage(
  ctx: StudioCtx,
  request: IncomingMessage,
  form: FormRequest,
): Promise<SiteImage> {
  try {
    return await withinFormLimit(ctx.owner, async () => await storeSiteImage(ctx, request, form))
  } catch (error) {
    await discardBody(request)
    throw error
  }
}

async function storeSiteImage(ctx: StudioCtx, request: IncomingMessage, form: FormRequest): Promise<SiteImage> {
  const earlier = await findEarlierForm(ctx, form)
  // A full disk must not refuse a repeat.
  if (!earlier) await ctx.gateways.diskSpace.requireSpace()
  const { fileName, bytes } = await receivePicture(request)
  const requestHash = formHash(form, [{ fileName, bytes: bytes.length, sha256: sha256(bytes) }])
  if (earlier) return await repeatedImage(ctx, earlier, requestHash)
  const id = newToken()
  try {
    // The row is inserted first, so that no sweep deletes the files as orphans.
    const row = {
      id,
      userId: ctx.owner,
      fileName,
      bytes: bytes.length,
      sizes: [],
      clear: false,
      lightness: null,
      uploadedAt: ctx.now(),
    }
    await insertImage(ctx.db, row)
    const renditions = await makeSitePictures(ctx, ctx.owner, bytes, folderOf(id))
    await ctx.db.transaction(async (tx) => {
      await setImageRenditions(tx, ctx.owner, id, renditions)
      await recordForm(ctx, tx, form, { requestHash, made: [id] })
    })
    return siteImageView(row)
  } catch (error) {
    await discardImage(ctx, id)
    // A concurrent repeat may have succeeded, or the answer to this one's commit was lost.
    const first = await findEarlierForm(ctx, form)
    if (!first) throw error
    return await repeatedImage(ctx, first, requestHash)
  }
}

/** Deletes a picture that could not be stored. Never throws: the sweep deletes the rest. */
async function discardImage({ db, owner, gateways: { storage }, log }: StudioCtx, id: string): Promise<void> {
  try {
    if (!(await deleteUnfinishedImage(db, owner, id))) return
    for (const key of await storage.list(folderOf(id))) await storage.remove(key)
  } catch (error) {
    log.warn({ err: error, imageId: id }, 'a picture that could not be stored could not be removed yet')
  }
}

async function repeatedImage(
  ctx: StudioCtx,
  earlier: { requestHash: string; made: string[] },
  requestHash: string,
): Promise<SiteImage> {
  refuseOtherForm(earlier, requestHash)
  const [image] = await listImages(ctx.db, ctx.owner, earlier.made)
  if (!image) throw notFound(siteMessages.imageUnknown)
  return siteImageView(image)
}

const contentTypes = { webp: 'image/webp', jpg: 'image/jpeg', png: 'image/png' } as const

/**
 * Serves a site's picture to everybody while the site is open, and always to the artist. Without a form in the address,
 * it serves one of medium size. Throws notFound.
 */
export async function serveSiteImage(ctx: RequestCtx, c: HttpContext): Promise<Response> {
  const id = c.req.param('id') ?? ''
  if (!imageId.test(id)) throw notFound()
  const owner = await findImageOwner(ctx.db, everyoneScope(), id)
  const cacheControl = owner && pictureCaching(owner, ctx.caller?.user.id, ctx.now())
  if (cacheControl === undefined) throw notFound()
  const form = c.req.param('form') ?? (await mediumFile(ctx, id))
  const [, extension] = /^\d{1,5}\.(webp|jpg|png)$/.exec(form) ?? []
  if (!extension) throw notFound()
  return await serveStored(ctx, c, {
    key: `${folderOf(id)}/${form}`,
    contentType: contentTypes[extension as keyof typeof contentTypes],
    etag: `"${id}-${form}"`,
    cacheControl,
  })
}

async function mediumFile(system: System, id: string): Promise<string> {
  const plain = (await system.gateways.storage.list(folderOf(id)))
    .map((key) => key.split('/').at(-1) ?? '')
    .filter((name) => !name.endsWith('.webp'))
    .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  return plain.findLast((name) => Number.parseInt(name, 10) <= 960) ?? plain[0] ?? ''
}

/** Deletes pictures that no site uses and that are a week old, and the files of deleted pictures. Safe to repeat. */
export async function sweepSiteImages(system: System): Promise<void> {
  const { storage } = system.gateways
  const keys = await storage.list(imagesFolder)
  const unusedSince = new Date(system.now().getTime() - unusedDays * 86_400_000)
  await retryOnDeadlock(system.db, async (tx) => await deleteUnusedImages(tx, everyoneScope(), unusedSince))
  const byId = Map.groupBy(keys, (key) => key.split('/')[1] ?? '')
  const existing = new Set(
    await existingImages(
      system.db,
      everyoneScope(),
      [...byId.keys()].filter((id) => imageId.test(id)),
    ),
  )
  for (const [id, files] of byId) if (!existing.has(id)) for (const key of files) await storage.remove(key)
}

const batchSize = 50

/**
 * Measures the lightness of logos that were stored without it, which decides whether they need a plate. Safe to repeat
 * and to interrupt. Skips a picture that cannot be read until the next run.
 */
export async function measureLogos(system: System): Promise<void> {
  let after = ''
  for (;;) {
    const logos = await listUnmeasuredLogos(system.db, everyoneScope(), after, batchSize)
    for (const { id, userId } of logos) {
      const owner = ownerScope(userId)
      try {
        const lightness = await measureSitePicture(system, owner, folderOf(id))
        if (lightness === null) continue
        await system.db.transaction(async (tx) => {
          if (await setLightness(tx, owner, id, lightness)) await notifySiteChange(system, tx, owner)
        })
      } catch (error) {
        system.log.warn({ err: error, imageId: id }, 'a logo could not be measured')
      }
    }
    const last = logos.at(-1)
    if (!last || logos.length < batchSize) return
    after = last.id
  }
}

/** For the hook `accountPurging`: queues the sweep, which deletes the files once the rows are deleted. */
export async function removeSiteImages(system: System, tx: Tx): Promise<void> {
  await system.jobs.send(tx, sweepImagesQueue, {})
}
