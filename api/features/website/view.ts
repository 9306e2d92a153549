import type { Gallery, GalleryItem } from '@flashsheet/contracts/website'
import type { GalleryRow, PublicGalleryRow } from './queries/gallery.ts'

/** What every gallery call answers (wire: gallery calls). */
export function galleryView(rows: readonly Pick<GalleryRow, 'mediaId'>[]): Gallery {
  return { gallery: rows.map((row) => row.mediaId) }
}

export function galleryItemView(row: GalleryRow): GalleryItem {
  return { _id: row.mediaId, altText: row.altText, isPublic: row.forms !== null }
}

type PublicPicture = { url: string; width: number; height: number }

/** A gallery entry as a public page shows it; addresses are paths of the app, good for ever or gone. */
export type PublicGalleryItem = {
  mediaId: string
  altText: string
  /** Smallest first, for `srcset`; the last one's size is the picture's own for `width` and `height`. */
  webp: PublicPicture[]
  /** The same sizes for who cannot read WebP, and for link previews. */
  jpeg: PublicPicture[]
  /** Of a video, whose pictures are then its poster; null also where it can only be shown as a picture. */
  film: { url: string; type: 'video/mp4'; seconds: number } | null
}

export function publicGalleryItemView(row: PublicGalleryRow): PublicGalleryItem {
  const { sizes, film } = row.forms
  const pictures = (extension: string) => sizes.map((size) => ({ ...size, url: publicAddress(row.token, `${size.width}.${extension}`) }))
  return {
    mediaId: row.mediaId,
    altText: row.altText,
    webp: pictures('webp'),
    jpeg: pictures('jpg'),
    film: film ? { url: publicAddress(row.token, 'film.mp4'), type: 'video/mp4', seconds: (row.durationMs ?? 0) / 1000 } : null,
  }
}

function publicAddress(token: string, form: string): string {
  return `/files/gallery/${token}/${form}`
}
