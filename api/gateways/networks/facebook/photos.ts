import { NetworkError, type ConfirmResult, type PublishJob, type PublishMedia, type PublishResult } from '../adapter.ts'
import { isObjectMissing } from '../meta-errors.ts'
import { record, recordsOf, textOf, textsOf } from '../refusal.ts'
import { address, answeredId, postsSince, messageOf, type Graph } from './graph.ts'

/** Facebook deletes unused photos after about 24 h; younger ones are assumed to exist. */
const photoLifetimeMs = 20 * 3_600_000
/** The error when photos already belong to a post. */
const photosUsed = /^(?:\d+\/)?1366051\b/

/**
 * Uploads each picture as an unpublished photo and saves its id. Photos near their expiry are uploaded again; `confirm`
 * still searches for a post with the old ones.
 */
export async function uploadPhotos(graph: Graph, job: PublishJob): Promise<void> {
  const images = await job.media()
  const since = Date.parse(textOf(job.checkpoint['photosSince']))
  if (job.now().getTime() - since > photoLifetimeMs) await discardPhotos(job)
  const photos = photoIds(job)
  const photosSince = photos.length === 0 ? job.now().toISOString() : job.checkpoint['photosSince']
  for (const image of images.slice(photos.length)) {
    photos.push(await uploadPhoto(graph, job, image))
    await job.save({ photos: [...photos], photosSince })
    await job.progress(Math.round((photos.length / images.length) * 100))
  }
}

/** Stops using the photos; a post with one of them is still ours. */
async function discardPhotos(job: PublishJob): Promise<void> {
  await job.save({ photos: [], formerPhotos: [...formerPhotos(job), ...photoIds(job)] })
}

async function uploadPhoto(graph: Graph, job: PublishJob, image: PublishMedia): Promise<string> {
  const { body } = await graph.http.call({
    method: 'POST',
    url: `${graph.graph}/${job.pageId}/photos`,
    as: graph.asPage(job),
    formFile: {
      fields: { published: 'false' },
      name: 'source',
      fileName: image.mimeType === 'image/png' ? 'photo.png' : 'photo.jpg',
      type: image.mimeType,
      open: async () => await image.open(),
      length: image.bytes,
    },
    timeoutMs: 120_000,
  })
  return answeredId(body['id'])
}

/** The irreversible call: one post with all photos, whose answer has its address (read-after-write). */
export async function publishPhotos(graph: Graph, job: PublishJob): Promise<PublishResult> {
  try {
    const body = await graph.write(
      job,
      `${graph.graph}/${job.pageId}/feed?fields=id,permalink_url`,
      { message: messageOf(job), attached_media: photoIds(job).map((id) => ({ media_fbid: id })) },
      job.assertLease,
    )
    return { state: 'posted', remoteId: answeredId(body['id'], true), permalink: address(body['permalink_url']) }
  } catch (error) {
    // An earlier call, whose answer was lost, has posted them.
    if (error instanceof NetworkError && photosUsed.test(error.code)) {
      throw new NetworkError('unknown', error.code, error.message, { cause: error })
    }
    // The photos expired early. An earlier unanswered call may still have posted them.
    if (error instanceof NetworkError && isObjectMissing(error.cause) && job.unanswered > 1) await discardPhotos(job)
    throw error
  }
}

/** A post with one of our photos is ours: photo ids are unique. */
export async function confirmPhotos(graph: Graph, job: PublishJob): Promise<ConfirmResult> {
  const ours = new Set([...photoIds(job), ...formerPhotos(job)])
  for await (const post of postsSince(
    graph,
    job,
    'id,created_time,permalink_url,attachments{target{id},subattachments{target{id}}}',
  )) {
    const id = textOf(post['id'])
    if (id && attachmentTargets(post).some((target) => ours.has(target)))
      return { state: 'posted', remoteId: id, permalink: address(post['permalink_url']) }
  }
  return { state: 'absent', evidence: 'inconclusive', mayRepeat: true }
}

const photoIds = (job: PublishJob): string[] => textsOf(job.checkpoint['photos'])

/** Photos of an earlier call that may have been posted. */
const formerPhotos = (job: PublishJob): string[] => textsOf(job.checkpoint['formerPhotos'])

/** The ids of a post's attachments: its one photo, or those of its album; of one type, if given. */
export function attachmentTargets(post: Record<string, unknown>, type?: string): string[] {
  const attachments = dataOf(post['attachments']).filter(
    (attachment) => type === undefined || attachment['media_type'] === type,
  )
  return attachments.flatMap((attachment) => [
    textOf(record(attachment['target'])?.['id']),
    ...dataOf(attachment['subattachments']).map((inner) => textOf(record(inner['target'])?.['id'])),
  ])
}

function dataOf(edge: unknown): Record<string, unknown>[] {
  return recordsOf(record(edge)?.['data'])
}
