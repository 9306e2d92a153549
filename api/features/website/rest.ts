import { MediaId, MediaIds, MediaItem } from '@flashsheet/contracts/media/schema'
import { Gallery, GalleryItem, SaveSite, SetFlash, Site, SiteImage } from '@flashsheet/contracts/website/schema'
import { z } from 'zod'
import { rawRow, row, type RestRow } from '../../core/rest.ts'
import { addToGallery, receiveForGallery, removeFromGallery, setGalleryFlash } from './service/gallery.ts'
import { serveGalleryFile } from './service/gallery-files.ts'
import { receiveSiteImage, serveSiteImage } from './service/site-images.ts'
import { getSite, saveSite } from './service/site.ts'

export const websiteRest: readonly RestRow[] = [
  row({
    method: 'GET',
    path: '/api/websitebuilder',
    guard: 'studio',
    key: 'site:read',
    answer: Site,
    input: z.object({}),
    run: getSite,
  }),
  row({
    method: 'POST',
    path: '/api/websitebuilder',
    guard: 'studio',
    key: 'site:write',
    answer: Site,
    input: SaveSite,
    run: saveSite,
  }),
  row({
    method: 'POST',
    path: '/api/websitebuilder/gallery',
    guard: 'studio',
    key: 'site:write',
    answer: Gallery,
    input: MediaIds,
    run: addToGallery,
  }),
  row({
    method: 'DELETE',
    path: '/api/websitebuilder/gallery/:id',
    guard: 'studio',
    key: 'site:write',
    answer: Gallery,
    input: MediaId,
    run: async (ctx, { id }) => await removeFromGallery(ctx, { ids: [id] }),
  }),
  row({
    method: 'PUT',
    path: '/api/websitebuilder/gallery/:id/flash',
    guard: 'studio',
    key: 'site:write',
    answer: z.array(GalleryItem),
    input: SetFlash,
    run: setGalleryFlash,
  }),
  rawRow({
    method: 'POST',
    path: '/api/websitebuilder/upload',
    guard: 'studio',
    key: 'site:write',
    creates: true,
    answer: { status: 201, json: z.array(MediaItem) },
    takes: 'files',
    takesFiles: true,
    isRepeatable: true,
    run: async (ctx, c, requestId) =>
      c.json(await receiveForGallery(ctx, c.env.incoming, { path: c.req.path, requestId }), 201),
  }),
  rawRow({
    method: 'POST',
    path: '/api/websitebuilder/image',
    guard: 'studio',
    key: 'site:write',
    creates: true,
    answer: { status: 200, json: SiteImage },
    takes: 'file',
    takesFiles: true,
    isRepeatable: true,
    run: async (ctx, c, requestId) =>
      c.json(await receiveSiteImage(ctx, c.env.incoming, { path: c.req.path, requestId })),
  }),
  rawRow({
    method: 'GET',
    path: '/files/site-images/:id',
    guard: 'public',
    key: 'any',
    answer: { status: 200, is: 'bytes' },
    takes: 'nothing',
    run: serveSiteImage,
  }),
  rawRow({
    method: 'GET',
    path: '/files/site-images/:id/:form',
    guard: 'public',
    key: 'any',
    answer: { status: 200, is: 'bytes' },
    takes: 'nothing',
    run: serveSiteImage,
  }),
  rawRow({
    method: 'GET',
    path: '/files/gallery/:token/:form',
    guard: 'public',
    key: 'any',
    answer: { status: 200, is: 'bytes' },
    takes: 'nothing',
    run: serveGalleryFile,
  }),
]
