import type { Palette } from '@flashsheet/contracts/palette'
import { createHash } from 'node:crypto'
import type { System } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import type { LocalFile } from '../../../gateways/scratch.ts'
import type { ShareDrawing } from '../../media/service/draw-share-picture.ts'
import { askFileProcess } from '../../media/service/file-tasks.ts'
import { publicFolder } from '../../media/service/keys.ts'
import type { PublicGalleryItem } from '../view.ts'

/** What a link preview shows of a site: its first works on its own colours. */
export type SharePicture = {
  /** Contains a hash of everything it is drawn from: after a change it has another name. */
  fileName: string
  width: number
  height: number
  /** As drawn, with storage keys for the files. */
  drawing: ShareDrawing
}

/** The size that networks ask for. */
const size = { width: 1200, height: 630 }
const [margin, gap, stripeHeight] = [36, 18, 18]
/** Places of three are upright, places of two are nearly square. */
const mostTiles = { upright: 3, square: 2 }
/** Messengers leave out the picture of a preview that is much larger. */
const mostBytes = 300_000
/** Part of the file name: raised when pictures are drawn in another way. */
const version = 1

/**
 * The share picture of a gallery; undefined without a picture. Three upright works, or two of another shape, stand side
 * by side and are cut to the same size; a single one is seen whole. There are no words on it, since letters depend on
 * the fonts of the machine.
 */
export function sharePictureOf(gallery: readonly PublicGalleryItem[], palette: Palette): SharePicture | undefined {
  const pictures = gallery.filter((one) => !one.video && one.jpeg.length > 0).slice(0, mostTiles.upright)
  const works = pictures.slice(
    0,
    mostTiles[2 * pictures.filter(isUpright).length > pictures.length ? 'upright' : 'square'],
  )
  if (works.length === 0) return undefined
  const width = Math.floor((size.width - 2 * margin - gap * (works.length - 1)) / works.length)
  const height = size.height - stripeHeight - 2 * margin
  const drawing: ShareDrawing = {
    ...size,
    ground: palette.background,
    stripe: { color: palette.button, height: stripeHeight },
    tiles: works.map((work, at) => {
      const source = work.jpeg.find((file) => file.width >= width && file.height >= height) ?? work.jpeg.at(-1)
      return {
        file: `${publicFolder(work.mediaId, work.id)}/${source?.width}.jpg`,
        left: margin + at * (width + gap),
        top: margin,
        width,
        height,
        fit: works.length === 1 ? 'contain' : 'cover',
      }
    }),
    bytes: mostBytes,
  }
  const hash = createHash('sha256')
    .update(JSON.stringify([version, drawing]))
    .digest('base64url')
  return { ...size, fileName: `share-${hash.slice(0, 22)}.jpg`, drawing }
}

function isUpright({ jpeg }: PublicGalleryItem): boolean {
  const largest = jpeg.at(-1)
  return largest !== undefined && largest.height >= 1.2 * largest.width
}

/** One line for all sites: visitors who ask for these pictures never hold up an artist's uploads. */
const line = 'share pictures'
const cachedMs = 86_400_000

/** The bytes of a share picture, drawn at most once a day for a change of its artist. Throws unavailable when many wait. */
export async function shareBytes(system: System, owner: string, { fileName, drawing }: SharePicture): Promise<Buffer> {
  return await system.sharePictures.get(`${owner}/${fileName}`, cachedMs, async () => {
    const opened: LocalFile[] = []
    try {
      const tiles: ShareDrawing['tiles'] = []
      for (const tile of drawing.tiles) {
        // Taken out of the gallery meanwhile.
        if ((await system.gateways.storage.size(tile.file)) === undefined) throw notFound()
        const local = await system.gateways.storage.localFile(tile.file)
        opened.push(local)
        tiles.push({ ...tile, file: local.file })
      }
      return {
        owner,
        value: Buffer.from(await askFileProcess(system, line, 'drawSharePicture', { ...drawing, tiles })),
      }
    } finally {
      for (const local of opened) await local.release()
    }
  })
}
