import {
  FromUrlInput,
  FromUrlJob,
  FromUrlParam,
  FromUrlState,
  DeletedCount,
  ListMediaInput,
  MediaId,
  MediaIds,
  MediaItem,
} from '@flashsheet/contracts/media/schema'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import type { SubscriberCtx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { rawRow, row, type HttpContext, type RestRow } from '../../core/rest.ts'
import { fetchedFromUrl, fetchFromUrl } from './service/fetch-from-url.ts'
import { getMedia, pageOfMedia } from './service/list.ts'
import { receiveForm } from './service/receive-form.ts'
import { receiveUpload, uploadsPath } from './service/receive-upload.ts'
import { removeMedia } from './service/remove.ts'
import { serveOwn, serveSigned } from './service/serve.ts'
import { takePoster } from './service/take-poster.ts'

/** The tus server writes to the socket itself; web streams would halve its speed. */
async function tus(ctx: SubscriberCtx, c: HttpContext): Promise<Response> {
  await receiveUpload(ctx, c.req.param('id'), c.env.incoming, c.env.outgoing as ServerResponse)
  return RESPONSE_ALREADY_SENT
}

export const mediaRest: readonly RestRow[] = [
  row({
    method: 'GET',
    path: '/api/media',
    guard: 'subscriber',
    key: 'media:read',
    answer: z.array(MediaItem),
    input: ListMediaInput,
    isPaged: true,
    run: pageOfMedia,
  }),
  row({
    method: 'DELETE',
    path: '/api/media',
    guard: 'subscriber',
    key: 'media:write',
    answer: DeletedCount,
    input: MediaIds,
    run: removeMedia,
  }),
  row({
    method: 'GET',
    path: '/api/media/:id',
    guard: 'subscriber',
    key: 'media:read',
    answer: MediaItem,
    input: MediaId,
    run: getMedia,
  }),
  row({
    method: 'POST',
    path: '/api/media/from-url',
    guard: 'subscriber',
    key: 'media:write',
    creates: true,
    answer: FromUrlJob,
    input: FromUrlInput,
    status: 202,
    run: fetchFromUrl,
  }),
  row({
    method: 'GET',
    path: '/api/media/from-url/:jobId',
    guard: 'subscriber',
    key: 'media:read',
    answer: FromUrlState,
    input: FromUrlParam,
    run: fetchedFromUrl,
  }),
  rawRow({
    method: 'POST',
    path: '/api/media/upload',
    guard: 'subscriber',
    key: 'media:write',
    creates: true,
    answer: { status: 201, json: z.array(MediaItem) },
    takes: 'files',
    takesFiles: true,
    isRepeatable: true,
    run: async (ctx, c, requestId) =>
      c.json(await receiveForm(ctx, c.env.incoming, { path: c.req.path, requestId }), 201),
  }),
  rawRow({
    method: 'OPTIONS',
    path: uploadsPath,
    guard: 'subscriber',
    key: 'media:write',
    answer: { status: 204, is: 'nothing' },
    takes: 'tus',
    run: tus,
  }),
  rawRow({
    method: 'POST',
    path: uploadsPath,
    guard: 'subscriber',
    key: 'media:write',
    creates: true,
    answer: { status: 201, is: 'nothing' },
    takes: 'tus',
    takesFiles: true,
    run: tus,
  }),
  rawRow({
    method: 'PATCH',
    path: `${uploadsPath}/:id`,
    guard: 'subscriber',
    key: 'media:write',
    answer: { status: 204, is: 'nothing' },
    takes: 'tus',
    takesFiles: true,
    run: tus,
  }),
  rawRow({
    method: 'DELETE',
    path: `${uploadsPath}/:id`,
    guard: 'subscriber',
    key: 'media:write',
    answer: { status: 204, is: 'nothing' },
    takes: 'tus',
    run: tus,
  }),
  rawRow({
    // Hono answers HEAD with the row of GET.
    method: 'GET',
    path: `${uploadsPath}/:id`,
    guard: 'subscriber',
    key: 'media:write',
    answer: { status: 200, is: 'nothing' },
    takes: 'tus',
    run: async (ctx, c) => {
      if (c.req.method !== 'HEAD') throw notFound()
      return await tus(ctx, c)
    },
  }),
  rawRow({
    method: 'POST',
    path: `${uploadsPath}/:id/poster`,
    guard: 'subscriber',
    key: 'media:write',
    answer: { status: 204, is: 'nothing' },
    takes: 'poster',
    takesFiles: true,
    run: async (ctx, c) => {
      await takePoster(ctx, c.req.param('id') ?? '', c.env.incoming)
      return c.body(null, 204)
    },
  }),
  rawRow({
    method: 'GET',
    path: '/files/media/:id/:form',
    guard: 'signedIn',
    key: 'media:read',
    answer: { status: 200, is: 'bytes' },
    takes: 'nothing',
    run: serveOwn,
  }),
  rawRow({
    method: 'GET',
    path: '/files/public/:token',
    guard: 'public',
    key: 'any',
    answer: { status: 200, is: 'bytes' },
    takes: 'nothing',
    run: serveSigned,
  }),
]
