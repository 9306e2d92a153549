import type { Context } from 'hono'
import { faultOf } from '../../request-middleware.ts'
import { GraphError } from '../meta/graph.ts'
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
export function uploadRefusal(c: Context, type: string, message: string, retriable: boolean): Response {
  return c.json({ debug_info: { retriable, type, message } }, 400)
}

/** Whether a header is a whole number. */
export function isWholeNumber(header: string | undefined): boolean {
  return /^\d+$/.test(header ?? '')
}

export function notWholeNumber(c: Context, header: string): Response {
  const message = `HeaderValuePredicate: Header ${header} not convertable to unsigned long`
  return uploadRefusal(c, 'ParameterValidationError', message, false)
}

export function wrongOffset(c: Context): Response {
  return uploadRefusal(c, 'OffsetInvalidError', 'Request starting offset is invalid', true)
}

/** The refusal of a token that is not in an `Authorization: OAuth` header, the only one that upload hosts accept. */
export function refusedAuthorization(c: Context): Response | undefined {
  const given = c.req.header('authorization')
  const hasNone = given === undefined && c.req.query('access_token') === undefined
  if (hasNone || /^OAuth\s+\S+$/.test(given ?? '')) return undefined
  return uploadRefusal(
    c,
    'NotAuthorizedError',
    'The request needs the header Authorization: OAuth <access token>',
    false,
  )
}

/** Stores the processing failure that a fault scripts for a video; the fault's body is the reason. */
export function faultVideo(c: Context, video: FacebookVideo): void {
  const fault = faultOf(c)
  if (fault?.kind !== 'processing-fails') return
  video.refusal = typeof fault.body === 'string' && fault.body !== '' ? fault.body : 'Video processing failed.'
}
