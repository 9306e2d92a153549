import { MediaId, MediaIds } from '@flashsheet/contracts/media/schema'
import { SaveSite } from '@flashsheet/contracts/website/schema'
import { z } from 'zod'
import { rawRow, row, type RestRow } from '../../core/rest.ts'
import { addToGallery, receiveForGallery, removeFromGallery } from './service/gallery.ts'
import { serveGalleryFile } from './service/gallery-files.ts'
import { receiveSiteImage, serveSiteImage } from './service/site-images.ts'
import { getSite, saveSite } from './service/site.ts'

export const websiteRest: readonly RestRow[] = [
  row({ method: 'GET', path: '/api/websitebuilder', guard: 'studio', input: z.object({}), run: getSite }),
  row({ method: 'POST', path: '/api/websitebuilder', guard: 'studio', input: SaveSite, run: saveSite }),
  row({ method: 'POST', path: '/api/websitebuilder/gallery', guard: 'studio', input: MediaIds, run: addToGallery }),
  row({
    method: 'DELETE',
    path: '/api/websitebuilder/gallery/:id',
    guard: 'studio',
    input: MediaId,
    run: async (ctx, { id }) => await removeFromGallery(ctx, { ids: [id] }),
  }),
  rawRow({
    method: 'POST',
    path: '/api/websitebuilder/upload',
    guard: 'studio',
    takesFiles: true,
    run: async (ctx, c) => c.json(await receiveForGallery(ctx, c.env.incoming), 201),
  }),
  rawRow({
    method: 'POST',
    path: '/api/websitebuilder/image',
    guard: 'studio',
    takesFiles: true,
    run: async (ctx, c) => c.json(await receiveSiteImage(ctx, c.env.incoming)),
  }),
  rawRow({ method: 'GET', path: '/files/site-images/:id', guard: 'public', run: serveSiteImage }),
  rawRow({ method: 'GET', path: '/files/site-images/:id/:form', guard: 'public', run: serveSiteImage }),
  rawRow({ method: 'GET', path: '/files/gallery/:token/:form', guard: 'public', run: serveGalleryFile }),
]
