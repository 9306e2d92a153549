import { IdParam } from '@flashsheet/contracts/input'
import { MediaIds, MediaItem } from '@flashsheet/contracts/media/schema'
import { Gallery, GalleryItem, SaveSite, SetFlash, Site, SiteImage } from '@flashsheet/contracts/website/schema'
import { z } from 'zod'
import { fileRow, rawRow, row, rowFor, type RestRow } from '../../core/rest.ts'
import { addToGallery, receiveForGallery, removeFromGallery, setGalleryFlash } from './service/gallery.ts'
import { serveGalleryFile } from './service/gallery-files.ts'
import { receiveSiteImage, serveSiteImage } from './service/site-images.ts'
import { getSite, saveSite } from './service/site.ts'

const studioToWrite = rowFor('studio', 'site:write')

export const websiteRest: readonly RestRow[] = [
  row('GET /api/websitebuilder', 'studio', 'site:read', { answer: Site, run: getSite }),
  studioToWrite('POST /api/websitebuilder', { input: SaveSite, answer: Site, run: saveSite }),
  studioToWrite('POST /api/websitebuilder/gallery', { input: MediaIds, answer: Gallery, run: addToGallery }),
  studioToWrite('DELETE /api/websitebuilder/gallery/:id', {
    input: IdParam,
    answer: Gallery,
    run: async (ctx, { id }) => await removeFromGallery(ctx, { ids: [id] }),
  }),
  studioToWrite('PUT /api/websitebuilder/gallery/:id/flash', {
    input: SetFlash,
    answer: z.array(GalleryItem),
    run: setGalleryFlash,
  }),
  rawRow('POST /api/websitebuilder/upload', 'studio', 'site:write', {
    takes: 'files',
    isRepeatable: true,
    answer: { status: 201, json: z.array(MediaItem) },
    creates: true,
    run: async (ctx, c, requestId) =>
      c.json(await receiveForGallery(ctx, c.env.incoming, { path: c.req.path, requestId }), 201),
  }),
  rawRow('POST /api/websitebuilder/image', 'studio', 'site:write', {
    takes: 'file',
    isRepeatable: true,
    answer: { status: 200, json: SiteImage },
    creates: true,
    run: async (ctx, c, requestId) =>
      c.json(await receiveSiteImage(ctx, c.env.incoming, { path: c.req.path, requestId })),
  }),
  fileRow('GET /files/site-images/:id', 'public', 'any', serveSiteImage),
  fileRow('GET /files/site-images/:id/:form', 'public', 'any', serveSiteImage),
  fileRow('GET /files/gallery/:token/:form', 'public', 'any', serveGalleryFile),
]
