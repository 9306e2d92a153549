import type { Palette } from '@flashsheet/contracts/palette'
import { createHash } from 'node:crypto'
import type { System } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import type { ShareDrawing } from '../../media/service/draw-share-picture.ts'
import { runFileTask } from '../../media/service/file-tasks.ts'
import { publicFolder } from '../../media/service/keys.ts'
import type { PublicWork } from '../view.ts'

/** The picture of a site for link previews: its first works on its own colours. */
export type SharePicture = {
  /** Contains a hash of everything it is drawn from, so that it changes with the picture. */
  fileName: string
  width: number
  height: number
  /** What to draw; the files are storage keys. */
  drawing: ShareDrawing
}

/** The size that networks recommend. */
const size = { width: 1200, height: 630 }
const [margin, gap, stripeHeight] = [36, 18, 18]
/** Three tiles are upright, two are nearly square. */
const maxTiles = { upright: 3, square: 2 }
/** Messengers omit much larger pictures from previews. */
const maxBytes = 300_000
/** Part of the hash; increase it when the drawing changes. */
const version = 1

/**
 * The share picture of a gallery; undefined without a picture. Shows three upright works, or two of another shape, side
 * by side and cropped to the same size; a single one is not cropped. Has no text, which would depend on the server's
 * fonts.
 */
export function sharePictureOf(gallery: readonly PublicWork[], palette: Palette): SharePicture | undefined {
  const pictures = gallery.filter((one) => !one.video && one.plain.length > 0).slice(0, maxTiles.upright)
  const works = pictures.slice(
    0,
    maxTiles[2 * pictures.filter(isUpright).length > pictures.length ? 'upright' : 'square'],
  )
  if (works.length === 0) return undefined
  const width = Math.floor((size.width - 2 * margin - gap * (works.length - 1)) / works.length)
  const height = size.height - stripeHeight - 2 * margin
  const drawing: ShareDrawing = {
    ...size,
    ground: palette.background,
    stripe: { color: palette.button, height: stripeHeight },
    tiles: works.map((work, at) => {
      const source = work.plain.find((file) => file.width >= width && file.height >= height) ?? work.plain.at(-1)
      return {
        file: `${publicFolder(work.mediaId, work.id)}/${source?.width}.jpg`,
        left: margin + at * (width + gap),
        top: margin,
        width,
        height,
        fit: works.length === 1 ? 'contain' : 'cover',
      }
    }),
    maxBytes,
  }
  const hash = createHash('sha256')
    .update(JSON.stringify([version, drawing]))
    .digest('base64url')
  return { ...size, fileName: `share-${hash.slice(0, 22)}.jpg`, drawing }
}

function isUpright({ plain }: PublicWork): boolean {
  const largest = plain.at(-1)
  return largest !== undefined && largest.height >= 1.2 * largest.width
}

/** One queue for all sites, so that visitors never delay an artist's uploads. */
const fileQueue = 'share pictures'
const cachedMs = 86_400_000

/** The bytes of a share picture, cached for a day. Throws unavailable when too many are being drawn. */
export async function shareBytes(system: System, owner: string, { fileName, drawing }: SharePicture): Promise<Buffer> {
  return await system.sharePictures.get(`${owner}/${fileName}`, cachedMs, async () => {
    await using opened = new AsyncDisposableStack()
    const tiles: ShareDrawing['tiles'] = []
    for (const tile of drawing.tiles) {
      // Removed from the gallery in the meantime.
      if ((await system.gateways.storage.size(tile.file)) === undefined) throw notFound()
      const { file } = opened.use(await system.gateways.storage.localFile(tile.file))
      tiles.push({ ...tile, file })
    }
    const value = Buffer.from(await runFileTask(system, fileQueue, 'drawSharePicture', { ...drawing, tiles }))
    return { owner, value }
  })
}
