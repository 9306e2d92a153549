import type { SiteImage } from '@flashsheet/contracts/website/schema'
import type { IncomingMessage } from 'node:http'
import type { Tx } from '@flashsheet/db/client'
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
import { makeSitePictures, measureSitePicture } from '../../media/service/public-renditions.ts'
import { receivePicture } from '../../media/service/receive-picture.ts'
import { serveStored } from '../../media/service/serve.ts'
import { enqueueSweepImages } from '../jobs.ts'
import {
  deleteImage,
  deleteLooseImages,
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

/** A draft in a browser may still name an upload. */
const looseDays = 7

/**
 * Takes a picture for the site and makes what the public gets of it (`/api/websitebuilder/image`). A repeat with the same request id makes
 * nothing and answers the first picture. Throws invalid or tooLarge, conflict for a request id used for another form, and notFound for a
 * repeat whose picture is gone.
 */
export async function receiveSiteImage(
  ctx: StudioCtx,
  request: IncomingMessage,
  asked: FormRequest,
): Promise<SiteImage> {
  const known = await findEarlierForm(ctx, asked)
  // A full disk refuses no repeat.
  if (!known) await ctx.gateways.diskSpace.requireSpace()
  const { fileName, bytes } = await receivePicture(request)
  const requestHash = formHash(asked, [{ fileName, bytes: bytes.length, sha256: sha256(bytes) }])
  if (known) return await imageMadeBefore(ctx, known, requestHash)
  const id = newToken()
  const { storage } = ctx.gateways
  try {
    // The row comes first, so that no sweep takes the files for somebody's who is gone.
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
    const forms = await makeSitePictures(ctx, ctx.owner, bytes, folderOf(id))
    await ctx.db.transaction(async (tx) => {
      await setImageRenditions(tx, ctx.owner, id, forms)
      await recordForm(ctx, tx, asked, { requestHash, made: [id] })
    })
    return siteImageView(row)
  } catch (error) {
    await deleteImage(ctx.db, ctx.owner, id)
    for (const key of await storage.list(folderOf(id))) await storage.remove(key)
    // The same form, sent at the same time, may have been faster.
    const first = await findEarlierForm(ctx, asked)
    if (!first) throw error
    return await imageMadeBefore(ctx, first, requestHash)
  }
}

async function imageMadeBefore(
  ctx: StudioCtx,
  known: { requestHash: string; made: string[] },
  requestHash: string,
): Promise<SiteImage> {
  refuseOtherForm(known, requestHash)
  const [image] = await listImages(ctx.db, ctx.owner, known.made)
  if (!image) throw notFound()
  return siteImageView(image)
}

const types = { webp: 'image/webp', jpg: 'image/jpeg', png: 'image/png' } as const

/**
 * A site's picture for anybody who has its address, for as long as the site stands open; the artist sees it in any case. Without
 * a form, one of middle size. Throws notFound.
 */
export async function serveSiteImage(ctx: RequestCtx, c: HttpContext): Promise<Response> {
  const id = c.req.param('id') ?? ''
  if (!imageId.test(id)) throw notFound()
  const owner = await findImageOwner(ctx.db, everyoneScope(), id)
  const cacheControl = owner && pictureCaching(owner, ctx.caller?.user.id, ctx.now())
  if (cacheControl === undefined) throw notFound()
  const form = c.req.param('form') ?? (await middleForm(ctx, id))
  const [, extension] = /^\d{1,5}\.(webp|jpg|png)$/.exec(form) ?? []
  if (!extension) throw notFound()
  return await serveStored(ctx, c, {
    key: `${folderOf(id)}/${form}`,
    contentType: types[extension as keyof typeof types],
    etag: `"${id}-${form}"`,
    cacheControl,
  })
}

async function middleForm(system: System, id: string): Promise<string> {
  const plain = (await system.gateways.storage.list(folderOf(id)))
    .map((key) => key.split('/').at(-1) ?? '')
    .filter((name) => !name.endsWith('.webp'))
    .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  return plain.findLast((name) => Number.parseInt(name, 10) <= 960) ?? plain[0] ?? ''
}

/** Removes uploads that no site has shown for a week, and the files of those whose artist is gone. Safe to run twice. */
export async function sweepSiteImages(system: System): Promise<void> {
  const { storage } = system.gateways
  const keys = await storage.list(imagesFolder)
  await deleteLooseImages(system.db, everyoneScope(), new Date(system.now().getTime() - looseDays * 86_400_000))
  const byId = Map.groupBy(keys, (key) => key.split('/')[1] ?? '')
  const living = new Set(
    await existingImages(
      system.db,
      everyoneScope(),
      [...byId.keys()].filter((id) => imageId.test(id)),
    ),
  )
  for (const [id, files] of byId) if (!living.has(id)) for (const key of files) await storage.remove(key)
}

const logosAtOnce = 50

/**
 * Measures logos that were stored before lightness was, so that they get a plate where they need one. Safe to run twice
 * and to stop in between; a picture that cannot be read is left for the next run.
 */
export async function measureLogos(system: System): Promise<void> {
  let after = ''
  for (;;) {
    const logos = await listUnmeasuredLogos(system.db, everyoneScope(), after, logosAtOnce)
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
    if (!last || logos.length < logosAtOnce) return
    after = last.id
  }
}

/** For the hook `accountPurging`: once the rows are gone, the sweep finds files that are nobody's. */
export async function removeSiteImages(system: System, tx: Tx): Promise<void> {
  await enqueueSweepImages(system, tx)
}
