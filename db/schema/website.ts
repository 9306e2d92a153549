import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './auth.ts'
import { mediaItems } from './media.ts'

/** What the public gets of a gallery item: a WebP and a JPEG of each size, smallest first, and of a video the video itself. */
export type PublicForms = { sizes: { width: number; height: number }[]; film: boolean }

/** The media an artist shows on the website; an item stands in it once. */
export const galleryItems = pgTable(
  'gallery_items',
  {
    /** Also names the folder of the public files: an item taken out and put back in gets new ones. */
    id: uuid().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    mediaId: uuid('media_id').notNull().unique('gallery_items_once'),
    /** The artist's order; gaps are fine. */
    position: integer().notNull(),
    altText: text('alt_text').notNull().default(''),
    /** 128 random bits: who knows the public address may see the picture, and nobody guesses it. */
    token: text().notNull().unique('gallery_items_token'),
    /** Null until they are made. */
    forms: jsonb().$type<PublicForms>(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    // Nobody's gallery can show another artist's item.
    foreignKey({
      name: 'gallery_items_own_media',
      columns: [t.userId, t.mediaId],
      foreignColumns: [mediaItems.userId, mediaItems.id],
    }).onDelete('cascade'),
    index('gallery_items_order').on(t.userId, t.position),
    check('gallery_items_alt_text', sql`length(${t.altText}) <= 250`),
  ],
)

/** An artist's public site: one per artist, made by the first save of the builder. */
export const sites = pgTable(
  'sites',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Its address; lower case, so that unique means whatever the case. */
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
    /** #rrggbb, as chosen; what is served is made readable when it is served. */
    backgroundColor: text('background_color').notNull(),
    textColor: text('text_color').notNull(),
    buttonColor: text('button_color').notNull(),
    hoverColor: text('hover_color').notNull(),
    logoImageId: text('logo_image_id'),
    backgroundImageId: text('background_image_id'),
    profileImageId: text('profile_image_id'),
    /** Since when the artist's plan no longer includes a site; the public site then says so for 30 days. */
    closedAt: timestamp('closed_at', { withTimezone: true }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    // As staff see them: those that ended with their plan first.
    // What staff type into the search box, anywhere in the name.
    index('sites_search').using('gin', sql`${t.domainName} gin_trgm_ops`),
    index('sites_for_staff').on(
      sql`(case when ${t.closedAt} is not null then 0 when ${t.published} then 2 else 1 end)`,
      t.updatedAt.desc(),
      t.userId.desc(),
    ),
    check('sites_domain_name_form', sql`${t.domainName} ~ '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$'`),
    check('sites_about_length', sql`char_length(${t.about}) <= 2000`),
    check(
      'sites_colors',
      sql`${t.backgroundColor} ~ '^#[0-9a-f]{6}$' and ${t.textColor} ~ '^#[0-9a-f]{6}$' and ${t.buttonColor} ~ '^#[0-9a-f]{6}$' and ${t.hoverColor} ~ '^#[0-9a-f]{6}$'`,
    ),
    // With the owner in the key, nobody's site can show another artist's upload.
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

/** Addresses that artists left for another one. They lead to it until somebody else takes them, which nobody can for a while. */
export const formerSiteNames = pgTable(
  'former_site_names',
  {
    domainName: text('domain_name').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    leftAt: timestamp('left_at', { withTimezone: true }).notNull(),
  },
  (t) => [index('former_site_names_of_artist').on(t.userId, t.leftAt)],
)

/** Pictures an artist uploaded for the site itself: logo, background, profile. Those no site shows are swept. */
export const siteImages = pgTable(
  'site_images',
  {
    /** 128 random bits: names the folder and the public address, which nobody guesses. */
    id: text().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    fileName: text('file_name').notNull(),
    bytes: integer().notNull(),
    /** Each made as WebP, and as JPEG or, where it is clear in places, PNG; smallest first. */
    sizes: jsonb().$type<{ width: number; height: number }[]>().notNull(),
    clear: boolean().notNull(),
    uploadedAt: timestamp('uploaded_at', { withTimezone: true }).notNull(),
  },
  (t) => [unique('site_images_of_artist').on(t.userId, t.id), index('site_images_uploaded').on(t.uploadedAt)],
)
