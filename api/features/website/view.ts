import { type ImageSlot, imageSlots } from '@flashsheet/contracts/website/limits'
import {
  emptySections,
  type Flash,
  type Gallery,
  type GalleryItem,
  type Site,
  type SiteImage,
} from '@flashsheet/contracts/website/schema'
import type { GalleryRow, PublicGalleryRow } from './queries/gallery.ts'
import type { SiteImageRow, SiteRow } from './queries/sites.ts'

/** The answer of every REST call that changes the gallery. */
export function galleryView(rows: readonly Pick<GalleryRow, 'mediaId'>[]): Gallery {
  return { gallery: rows.map((row) => row.mediaId) }
}

export function galleryItemView(row: GalleryRow): GalleryItem {
  return { _id: row.mediaId, altText: row.altText, isPublic: row.renditions !== null, flash: row.flash }
}

type PictureFile = { url: string; width: number; height: number }

/**
 * A picture in all its sizes, smallest first. `plain` is for clients without WebP, and for link previews. Addresses are
 * paths of the app, and are never reused.
 */
export type PublicPicture = { alt: string; webp: PictureFile[]; plain: PictureFile[] }

/** A gallery entry as a public page shows it; a video's picture is its poster. */
export type PublicWork = PublicPicture & {
  id: string
  mediaId: string
  /** Identifies the entry in public addresses, those of its files included. */
  token: string
  flash: Flash | null
  /** Null for pictures, and for a video that can only be shown as its poster. */
  video: { url: string; type: 'video/mp4' } | null
}

export function publicWorkView({ altText, renditions, ...row }: PublicGalleryRow): PublicWork {
  const folder = `/files/gallery/${row.token}`
  return {
    ...row,
    alt: altText,
    ...pictureFiles(folder, renditions.sizes, 'jpg'),
    video: renditions.film ? { url: `${folder}/film.mp4`, type: 'video/mp4' } : null,
  }
}

function pictureFiles(folder: string, sizes: SiteImageRow['sizes'], plain: 'jpg' | 'png') {
  const files = (extension: string) => sizes.map((size) => ({ ...size, url: `${folder}/${size.width}.${extension}` }))
  return { webp: files('webp'), plain: files(plain) }
}

/** The column of a site that has the id of each of its pictures. */
export const imageColumn = {
  logoImage: 'logoImageId',
  backgroundImage: 'backgroundImageId',
  profileImage: 'profileImageId',
} as const satisfies Record<ImageSlot, keyof SiteRow>

/** The ids of the pictures that a site uses. */
export function imageIds(row: Pick<SiteRow, 'logoImageId' | 'backgroundImageId' | 'profileImageId'>): string[] {
  return imageSlots.flatMap((slot) => row[imageColumn[slot]] ?? [])
}

/** The site as the API returns it (`/api/websitebuilder`). */
export function siteView(row: SiteRow, images: readonly SiteImageRow[], gallery: string[]): Site {
  const imageIn = (slot: ImageSlot) => {
    const image = images.find((one) => one.id === row[imageColumn[slot]])
    return image ? siteImageView(image) : null
  }
  const { name, shopName, domainName, about, email, phone, shopAddress, city, state, zip } = row
  const { published, backgroundColor, textColor, buttonColor, hoverColor, layout, palette } = row
  return {
    gallery,
    published,
    personalInfo: { name, shopName, domainName, about, email, phone },
    address: { shopAddress, city, state, zip },
    branding: { backgroundColor, textColor, buttonColor, hoverColor },
    images: {
      logoImage: imageIn('logoImage'),
      backgroundImage: imageIn('backgroundImage'),
      profileImage: imageIn('profileImage'),
    },
    design: { layout, palette },
    links: { hidden: row.hiddenLinks },
    sections: row.sections ?? emptySections,
  }
}

export function siteImageView(image: SiteImageRow): SiteImage {
  return {
    url: siteImageUrl(image.id),
    fileName: image.fileName,
    size: image.bytes,
    uploadedAt: image.uploadedAt.toISOString(),
  }
}

function siteImageUrl(id: string): string {
  return `/files/site-images/${id}`
}

/** The id of the picture with this address; undefined for any other address. */
export function siteImageId(url: string): string | undefined {
  return /^\/files\/site-images\/([\w-]{22})$/.exec(url)?.[1]
}

export function sitePictureView({ id, sizes, clear }: SiteImageRow): PublicPicture {
  return { alt: '', ...pictureFiles(siteImageUrl(id), sizes, clear ? 'png' : 'jpg') }
}
