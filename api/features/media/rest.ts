import { IdParam } from '@flashsheet/contracts/input'
import {
  FromUrlInput,
  FromUrlJob,
  FromUrlParam,
  FromUrlState,
  DeletedCount,
  ListMediaInput,
  MediaIds,
  MediaItem,
} from '@flashsheet/contracts/media/schema'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import type { SubscriberCtx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { fileRow, rawRow, rowFor, type HttpContext, type RestRow } from '../../core/rest.ts'
import { getFromUrlState, fetchFromUrl } from './service/fetch-from-url.ts'
import { getMedia, pageOfMedia } from './service/list.ts'
import { receiveForm } from './service/receive-form.ts'
import { receiveUpload, uploadsPath } from './service/receive-upload.ts'
import { removeMedia } from './service/remove.ts'
import { serveOwn, serveSigned } from './service/serve.ts'
import { receivePoster } from './service/receive-poster.ts'

/** The tus server writes to the socket itself; web streams would halve its speed. */
async function tus(ctx: SubscriberCtx, c: HttpContext): Promise<Response> {
  await receiveUpload(ctx, c.req.param('id'), c.env.incoming, c.env.outgoing as ServerResponse)
  return RESPONSE_ALREADY_SENT
}

const tusRow = (operation: Parameters<typeof rawRow>[0], status: 201 | 204, more: { creates?: true } = {}) =>
  rawRow(operation, 'subscriber', 'media:write', { takes: 'tus', answer: { status, is: 'nothing' }, run: tus, ...more })

const subscriberToRead = rowFor('subscriber', 'media:read')
const subscriberToWrite = rowFor('subscriber', 'media:write')

export const mediaRest: readonly RestRow[] = [
  subscriberToRead('GET /api/media', {
    input: ListMediaInput,
    answer: z.array(MediaItem),
    isPaged: true,
    run: pageOfMedia,
  }),
  subscriberToWrite('DELETE /api/media', { input: MediaIds, answer: DeletedCount, run: removeMedia }),
  subscriberToRead('GET /api/media/:id', { input: IdParam, answer: MediaItem, run: getMedia }),
  subscriberToWrite('POST /api/media/from-url', {
    input: FromUrlInput,
    answer: FromUrlJob,
    status: 202,
    creates: true,
    run: fetchFromUrl,
  }),
  subscriberToRead('GET /api/media/from-url/:jobId', {
    input: FromUrlParam,
    answer: FromUrlState,
    run: getFromUrlState,
  }),
  rawRow('POST /api/media/upload', 'subscriber', 'media:write', {
    takes: 'files',
    isRepeatable: true,
    answer: { status: 201, json: z.array(MediaItem) },
    creates: true,
    run: async (ctx, c, requestId) =>
      c.json(await receiveForm(ctx, c.env.incoming, { path: c.req.path, requestId }), 201),
  }),
  tusRow(`OPTIONS ${uploadsPath}`, 204),
  tusRow(`POST ${uploadsPath}`, 201, { creates: true }),
  tusRow(`PATCH ${uploadsPath}/:id`, 204),
  tusRow(`DELETE ${uploadsPath}/:id`, 204),
  // Hono answers HEAD with the row of GET.
  rawRow(`GET ${uploadsPath}/:id`, 'subscriber', 'media:write', {
    takes: 'tus',
    answer: { status: 200, is: 'nothing' },
    run: async (ctx, c) => {
      if (c.req.method !== 'HEAD') throw notFound()
      return await tus(ctx, c)
    },
  }),
  rawRow(`POST ${uploadsPath}/:id/poster`, 'subscriber', 'media:write', {
    takes: 'poster',
    answer: { status: 204, is: 'nothing' },
    run: async (ctx, c) => {
      await receivePoster(ctx, c.req.param('id') ?? '', c.env.incoming)
      return c.body(null, 204)
    },
  }),
  fileRow('GET /files/media/:id/:form', 'signedIn', 'media:read', serveOwn),
  fileRow('GET /files/public/:token', 'public', 'any', serveSigned),
]
