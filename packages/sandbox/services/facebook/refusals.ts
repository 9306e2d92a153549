import type { Context } from 'hono'
import { faultOf } from '../../request-faults.ts'
import { Refusal } from '../../refusal.ts'
import type { SandboxContext } from '../../context.ts'
import { GraphError, queryParams } from '../meta/graph.ts'
import { caller, type Caller } from './access.ts'
import type { FacebookVideo } from './state.ts'

/** 6000/1363045: the upload is broken; a new one may work (docs/networks/facebook.md). */
export function brokenUpload(): GraphError {
  return new GraphError(6000, {
    message: 'There was a problem uploading your video file. Please try again with another file.',
    subcode: 1363045,
    userTitle: 'Video Upload Problem',
    userMessage: 'There was a problem uploading your video. Please try uploading it again.',
  })
}

/** An error of Meta's upload host, which has another shape than Graph errors. */
export function uploadRefusal(type: string, message: string, retriable: boolean): Refusal {
  return new Refusal(400, { debug_info: { retriable, type, message } })
}

/** A header that must be a whole number. Throws when it is none. */
export function wholeHeader(c: Context, name: string): number {
  const value = c.req.header(name) ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const message = `HeaderValuePredicate: Header ${name} not convertable to unsigned long`
  throw uploadRefusal('ParameterValidationError', message, false)
}

export function wrongOffset(): Refusal {
  return uploadRefusal('OffsetInvalidError', 'Request starting offset is invalid', true)
}

/** The caller of an upload host, which accepts a token only in an `Authorization: OAuth` header. */
export function uploadCaller(c: Context, sandbox: SandboxContext): Caller {
  const given = c.req.header('authorization')
  const hasNone = given === undefined && c.req.query('access_token') === undefined
  if (!hasNone && !/^OAuth\s+\S+$/.test(given ?? '')) {
    const message = 'The request needs the header Authorization: OAuth <access token>'
    throw uploadRefusal('NotAuthorizedError', message, false)
  }
  return caller(c, sandbox, queryParams(c))
}

/** Stores the processing failure that a fault scripts for a video; the fault's body is the reason. */
export function faultVideo(c: Context, video: FacebookVideo): void {
  const fault = faultOf(c)
  if (fault?.kind !== 'processing-fails') return
  video.refusal = typeof fault.body === 'string' && fault.body !== '' ? fault.body : 'Video processing failed.'
}
