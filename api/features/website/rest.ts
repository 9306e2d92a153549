import { MediaId, MediaIds } from '@flashsheet/contracts/media'
import { rawRow, row, type RestRow } from '../../core/rest.ts'
import { addToGallery, receiveForGallery, removeFromGallery } from './service/gallery.ts'
import { serveGalleryFile } from './service/gallery-files.ts'

export const websiteRest: readonly RestRow[] = [
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
    run: async (ctx, c) => c.json(await receiveForGallery(ctx, c.env.incoming), 201),
  }),
  rawRow({ method: 'GET', path: '/files/gallery/:token/:form', guard: 'public', run: serveGalleryFile }),
]
