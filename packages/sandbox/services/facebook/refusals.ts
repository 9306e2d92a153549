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

/** An answer of Meta's byte receiver: its errors are no Graph errors. */
export function byteRefusal(c: Context, type: string, message: string, retriable: boolean): Response {
  return c.json({ debug_info: { retriable, type, message } }, 400)
}

/** The byte receivers know one way to carry a token, and answer nobody who uses another. */
export function notByOAuth(c: Context): Response | undefined {
  const given = c.req.header('authorization')
  const hasNone = given === undefined && c.req.query('access_token') === undefined
  if (hasNone || /^OAuth\s+\S+$/.test(given ?? '')) return undefined
  return byteRefusal(c, 'NotAuthorizedError', 'The request needs the header Authorization: OAuth <access token>', false)
}

/** What a video's processing ends in when a script makes it fail without a reason of its own. */
export const videoFailed = 'Video processing failed.'
