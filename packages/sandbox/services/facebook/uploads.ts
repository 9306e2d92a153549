import { Hono } from 'hono'
import type { Context } from 'hono'
import { inTurn } from '../../incoming.ts'
import type { PublishedMedia, World } from '../../world.ts'
import { faulted } from '../meta/faults.ts'
import { badParameter, graphRoute, missingObject, queryParams, readParams } from '../meta/graph.ts'
import { caller } from './access.ts'
import { brokenUpload, byteRefusal, notByOAuth } from './refusals.ts'
import { facebook, type FacebookUpload } from './state.ts'

const fileTypes = ['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4']
const largest = 4 * 1024 * 1024 * 1024
const sessionLife = 24 * 3_600_000

/** `/{app}/uploads` and `/upload:{session}`: the resumable upload API that gives a handle (docs/networks/facebook.md). */
export function facebookUploads(world: World): Hono {
  const app = new Hono()
  app.post(
    '/:id/uploads',
    graphRoute((c) => startUpload(c, world)),
  )
  app.post(
    '/:session{upload:.+}',
    graphRoute((c) => takeUpload(c, world)),
  )
  app.get(
    '/:session{upload:.+}',
    graphRoute(async (c) => {
      const stranger = notByOAuth(c)
      if (stranger) return stranger
      caller(c, world, queryParams(c))
      const upload = session(c, world)
      return c.json({ id: upload.id, file_offset: held(world, upload) })
    }),
  )
  return app
}

async function startUpload(c: Context, world: World): Promise<Response> {
  const params = await readParams(c)
  const who = caller(c, world, params)
  const appId = c.req.param('id') ?? ''
  if (who.grant.appId !== appId) throw missingObject('post', appId)
  const length = Number(params.text('file_length'))
  const type = params.text('file_type') ?? ''
  if (!Number.isInteger(length) || length < 1 || length > largest)
    throw badParameter('param file_length must be the size of the file in bytes')
  if (!fileTypes.includes(type)) throw badParameter(`param file_type must be one of {${fileTypes.join(', ')}}`)
  return c.json({ id: openUpload(world, appId, length, type, '').id })
}

/** Opens an upload session; `videoId` ties it to a video of the three-phase upload. */
export function openUpload(world: World, appId: string, length: number, type: string, videoId: string): FacebookUpload {
  const id = videoId === '' ? `upload:${world.secret(40)}` : world.digits(16)
  const state = facebook(world)
  state.uploads[id] = { id, appId, length, type, lost: false, handle: '', media: null, videoId, at: world.now() }
  return state.uploads[id]!
}

function session(c: Context, world: World): FacebookUpload {
  const id = c.req.param('session') ?? ''
  const upload = facebook(world).uploads[id]
  if (upload && faulted(c, 'lose-session')) lose(world, upload)
  if (!upload || upload.lost || (!upload.media && upload.at + sessionLife <= world.now()))
    throw missingObject('get', id)
  return upload
}

/** Forgets a session and its bytes. */
export function lose(world: World, upload: FacebookUpload): void {
  upload.lost = true
  world.parts(partName(upload)).drop()
}

/** Where the bytes of a session gather. */
export function partName(upload: FacebookUpload): string {
  return `facebook-${upload.id.replace(/\W/g, '-')}`
}

function held(world: World, upload: FacebookUpload): number {
  return upload.media ? upload.length : world.parts(partName(upload)).size()
}

async function takeUpload(c: Context, world: World): Promise<Response> {
  const stranger = notByOAuth(c)
  if (stranger) return stranger
  caller(c, world, queryParams(c))
  const { id } = session(c, world)
  return inTurn(`facebook ${id}`, async () => {
    const upload = facebook(world).uploads[id]
    if (!upload || upload.lost) throw missingObject('post', id)
    const asked = c.req.header('file_offset')
    if (asked === undefined || !/^\d+$/.test(asked)) {
      return byteRefusal(
        c,
        'ParameterValidationError',
        'HeaderValuePredicate: Header File_offset not convertable to unsigned long',
        false,
      )
    }
    if (upload.media)
      return Number(asked) === upload.length
        ? c.json({ h: upload.handle })
        : byteRefusal(c, 'OffsetInvalidError', 'Request starting offset is invalid', true)
    const parts = world.parts(partName(upload))
    if (Number(asked) !== parts.size())
      return byteRefusal(c, 'OffsetInvalidError', 'Request starting offset is invalid', true)
    const size = await parts.write(c.req.raw.body, Number(asked))
    if (size !== upload.length) {
      // more, or less, than was announced: what came is worth nothing
      parts.truncate(0)
      if (size > upload.length) lose(world, upload)
      throw brokenUpload()
    }
    const media = await parts.finish()
    return c.json({ h: keepHandle(world, id, media) })
  })
}

function keepHandle(world: World, id: string, media: PublishedMedia): string {
  const state = facebook(world)
  const handle = `4::${Buffer.from(media.type).toString('base64url')}:${world.secret(60)}:e:${Math.floor(world.now() / 1000)}`
  const upload = state.uploads[id]
  if (upload) {
    upload.media = media
    upload.handle = handle
    state.handles[handle] = { upload: id }
  }
  return handle
}
