import { insert } from '../../collection.ts'
import { Hono, type Context } from 'hono'
import { serialize } from '../../request-body.ts'
import type { SandboxContext } from '../../context.ts'
import { faulted } from '../../request-faults.ts'
import { type GraphCall, graphCalls } from '../meta/graph-host.ts'
import { badParameter, missingObject } from '../meta/graph.ts'
import { caller, type Caller } from './access.ts'
import { brokenUpload, uploadCaller, wholeHeader, wrongOffset } from './refusals.ts'
import { facebook, type FacebookUpload } from './state.ts'

const fileTypes = ['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4']
const maxBytes = 4 * 1024 * 1024 * 1024
const sessionLifeMs = 24 * 3_600_000

/** `/upload:{session}`: the resumable upload API that returns a handle (docs/networks/facebook.md). */
export function facebookUploads(sandbox: SandboxContext): Hono {
  const app = new Hono()
  app.post('/:session{upload:.+}', (c) => receiveUpload(c, sandbox))
  app.get('/:session{upload:.+}', (c) => {
    uploadCaller(c, sandbox)
    const upload = session(c, sandbox)
    return c.json({ id: upload.id, file_offset: storedBytes(sandbox, upload) })
  })
  return app
}

/** `/{app}/uploads` (docs/networks/facebook.md). */
export const facebookUploadStart = graphCalls(caller, { 'POST /:id/uploads': startUpload })

function startUpload({ c, sandbox, params, id: appId, who }: GraphCall<Caller>): Response {
  if (who.grant.appId !== appId) throw missingObject('post', appId)
  const length = Number(params.text('file_length'))
  const type = params.text('file_type') ?? ''
  if (!Number.isInteger(length) || length < 1 || length > maxBytes)
    throw badParameter('param file_length must be the size of the file in bytes')
  if (!fileTypes.includes(type)) throw badParameter(`param file_type must be one of {${fileTypes.join(', ')}}`)
  return c.json({ id: openUpload(sandbox, length, '').id })
}

/** Opens an upload session; `videoId` ties it to a video of the three-phase upload. */
export function openUpload(sandbox: SandboxContext, length: number, videoId: string): FacebookUpload {
  const id = videoId === '' ? `upload:${sandbox.secret(40)}` : sandbox.digits(16)
  const session = { id, length, lost: false, handle: '', media: null, videoId, at: sandbox.now() }
  return insert(facebook(sandbox).uploads, session)
}

function session(c: Context, sandbox: SandboxContext): FacebookUpload {
  const id = c.req.param('session') ?? ''
  const upload = facebook(sandbox).uploads[id]
  if (upload && faulted(c, 'lose-session')) deleteUpload(sandbox, upload)
  if (!upload || upload.lost || (!upload.media && upload.at + sessionLifeMs <= sandbox.now()))
    throw missingObject('get', id)
  return upload
}

/** Deletes a session and its bytes. */
export function deleteUpload(sandbox: SandboxContext, upload: FacebookUpload): void {
  upload.lost = true
  sandbox.parts(partName(upload)).drop()
}

/** The name of the session's partial bytes. */
export function partName(upload: FacebookUpload): string {
  return `facebook-${upload.id.replace(/\W/g, '-')}`
}

function storedBytes(sandbox: SandboxContext, upload: FacebookUpload): number {
  return upload.media ? upload.length : sandbox.parts(partName(upload)).size()
}

async function receiveUpload(c: Context, sandbox: SandboxContext): Promise<Response> {
  uploadCaller(c, sandbox)
  const { id } = session(c, sandbox)
  return serialize(`facebook ${id}`, async () => {
    const upload = facebook(sandbox).uploads[id]
    if (!upload || upload.lost) throw missingObject('post', id)
    const offset = wholeHeader(c, 'File_offset')
    if (offset !== storedBytes(sandbox, upload)) throw wrongOffset()
    if (upload.media) return c.json({ h: upload.handle })
    const parts = sandbox.parts(partName(upload))
    const size = await parts.write(c.req.raw.body, offset)
    if (size !== upload.length) {
      // More or fewer bytes than announced invalidate the upload.
      parts.truncate(0)
      if (size > upload.length) deleteUpload(sandbox, upload)
      throw brokenUpload()
    }
    const media = await parts.finish()
    const handle = `4::${Buffer.from(media.type).toString('base64url')}:${sandbox.secret(60)}:e:${Math.floor(sandbox.now() / 1000)}`
    upload.media = media
    upload.handle = handle
    facebook(sandbox).handles[handle] = { upload: id }
    return c.json({ h: handle })
  })
}
