import { siteLayouts, sitePaletteIds } from '@flashsheet/contracts/site-design'
import type { Flash, SiteSections } from '@flashsheet/contracts/website/schema'
import { sql } from 'drizzle-orm'
import { boolean, check, foreignKey, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from './auth.ts'
import { instant } from './columns.ts'
import { mediaItems } from './media.ts'
import { enumChecks } from './enum-checks.ts'

/**
 * Public renditions of a gallery item: a WebP and a JPEG of each size, smallest first. `film`: the item is a video and has
 * an MP4, stored and served as `film.mp4`.
 */
export type PublicRenditions = { sizes: { width: number; height: number }[]; film: boolean }

/** The items of an artist's gallery; each item once. */
export const galleryItems = pgTable(
  'gallery_items',
  {
    /** Also the folder of the public files, so an item that is removed and added again gets new files. */
    id: uuid().primaryKey(),
    userId: ownerId(),
    mediaId: uuid('media_id').notNull().unique('gallery_items_once'),
    /** The artist's order; may have gaps. */
    position: integer().notNull(),
    altText: text('alt_text').notNull().default(''),
    /** 128 random bits, which make the public address of the picture impossible to guess. */
    token: text().notNull().unique('gallery_items_token'),
    /** Null until the renditions exist. */
    renditions: jsonb('forms').$type<PublicRenditions>(),
    /** Null: not flash. */
    flash: jsonb().$type<Flash>(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    // A gallery cannot contain another artist's item.
    foreignKey({
      name: 'gallery_items_own_media',
      columns: [t.userId, t.mediaId],
      foreignColumns: [mediaItems.userId, mediaItems.id],
    }).onDelete('cascade'),
    index('gallery_items_order').on(t.userId, t.position),
    check('gallery_items_alt_text', sql`length(${t.altText}) <= 250`),
  ],
)

/** An artist's public site, one per artist, created by the first save of the builder. */
export const sites = pgTable(
  'sites',
  {
    userId: ownerId().primaryKey(),
    /** Its name in the address; stored in lower case, so that the constraint ignores case. */
    domainName: text('domain_name').notNull().unique('sites_domain_name'),
    published: boolean().notNull(),
    name: text().notNull(),
    shopName: text('shop_name').notNull(),
    about: text().notNull(),
    email: text().notNull(),
    phone: text().notNull(),
    shopAddress: text('shop_address').notNull(),
    city: text().notNull(),
    state: text().notNull(),
    zip: text().notNull(),
    /** #rrggbb, as chosen; pages adjust it for contrast. */
    backgroundColor: text('background_color').notNull(),
    textColor: text('text_color').notNull(),
    buttonColor: text('button_color').notNull(),
    hoverColor: text('hover_color').notNull(),
    layout: text({ enum: siteLayouts }).notNull().default(siteLayouts[0]),
    /** Decides the fonts; null: the visitor's own. Its colours were copied to the columns above, where they may be changed. */
    palette: text({ enum: sitePaletteIds }),
    /** Contact details and links that visitors are not shown (contracts, `SiteLinks`). */
    hiddenLinks: text('hidden_links').array().notNull().default([]),
    /** Null: the artist has not chosen yet, so `emptySections` of the contract applies. */
    sections: jsonb().$type<SiteSections>(),
    logoImageId: text('logo_image_id'),
    backgroundImageId: text('background_image_id'),
    profileImageId: text('profile_image_id'),
    /** Since when the artist's plan includes no site; the public site shows a notice for 30 days. */
    closedAt: instant('closed_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    // The staff search, anywhere in the name.
    index('sites_search').using('gin', sql`${t.domainName} gin_trgm_ops`),
    index('sites_for_staff').on(
      sql`(case when ${t.closedAt} is not null then 0 when ${t.published} then 2 else 1 end)`,
      t.updatedAt.desc(),
      t.userId.desc(),
    ),
    ...enumChecks(t),
    check('sites_domain_name_form', sql`${t.domainName} ~ '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$'`),
    check('sites_about_length', sql`char_length(${t.about}) <= 2000`),
    check(
      'sites_colors',
      sql`${t.backgroundColor} ~ '^#[0-9a-f]{6}$' and ${t.textColor} ~ '^#[0-9a-f]{6}$' and ${t.buttonColor} ~ '^#[0-9a-f]{6}$' and ${t.hoverColor} ~ '^#[0-9a-f]{6}$'`,
    ),
    // The owner is in the key, so a site cannot show another artist's upload.
    foreignKey({
      name: 'sites_logo_image',
      columns: [t.userId, t.logoImageId],
      foreignColumns: [siteImages.userId, siteImages.id],
    }),
    foreignKey({
      name: 'sites_background_image',
      columns: [t.userId, t.backgroundImageId],
      foreignColumns: [siteImages.userId, siteImages.id],
    }),
    foreignKey({
      name: 'sites_profile_image',
      columns: [t.userId, t.profileImageId],
      foreignColumns: [siteImages.userId, siteImages.id],
    }),
  ],
)

/** Former site names. They redirect to the new name until another artist takes them, which is not allowed for a while. */
export const formerSiteNames = pgTable(
  'former_site_names',
  {
    domainName: text('domain_name').primaryKey(),
    userId: ownerId(),
    leftAt: instant('left_at').notNull(),
  },
  (t) => [index('former_site_names_of_artist').on(t.userId, t.leftAt)],
)

/** Pictures uploaded for the site itself: logo, background, profile. A sweep deletes those that no site uses. */
export const siteImages = pgTable(
  'site_images',
  {
    /** 128 random bits, used as folder and public address, so that the address cannot be guessed. */
    id: text().primaryKey(),
    userId: ownerId(),
    fileName: text('file_name').notNull(),
    bytes: integer().notNull(),
    /** Each as WebP, and as JPEG or, with transparency, PNG; smallest first. */
    sizes: jsonb().$type<{ width: number; height: number }[]>().notNull(),
    clear: boolean().notNull(),
    /**
     * The mean lightness of the visible parts of a transparent picture, 0 (black) to 255 (white). Null: the picture is
     * opaque, or was stored before this was measured.
     */
    lightness: integer(),
    uploadedAt: instant('uploaded_at').notNull(),
  },
  (t) => [unique('site_images_of_artist').on(t.userId, t.id), index('site_images_uploaded').on(t.uploadedAt)],
)
