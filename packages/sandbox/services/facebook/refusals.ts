import type { Context } from 'hono'
import { GraphError } from '../meta/graph.ts'

/** 6000/1363045: the upload is broken; a new one may work (docs/networks/facebook.md). */
export function brokenUpload(): GraphError {
  return new GraphError(6000, {
    message: 'There was a problem uploading your video file. Please try again with another file.',
    subcode: 1363045,
    userTitle: 'Video Upload Problem',
    userMessage: 'There was a problem uploading your video. Please try uploading it again.',
  })
}

/** An error of Meta's byte receiver, which has another shape than Graph errors. */
export function byteRefusal(c: Context, type: string, message: string, retriable: boolean): Response {
  return c.json({ debug_info: { retriable, type, message } }, 400)
}

/** The byte receivers accept a token only in an `Authorization: OAuth` header. */
export function notByOAuth(c: Context): Response | undefined {
  const given = c.req.header('authorization')
  const hasNone = given === undefined && c.req.query('access_token') === undefined
  if (hasNone || /^OAuth\s+\S+$/.test(given ?? '')) return undefined
  return byteRefusal(c, 'NotAuthorizedError', 'The request needs the header Authorization: OAuth <access token>', false)
}

/** The default reason of a scripted processing failure. */
export const videoFailed = 'Video processing failed.'
