import { insert } from '../../collection.ts'
import { splitWords } from '../../split-words.ts'
import type { Context } from 'hono'
import { applyDelays, faulted } from '../../request-faults.ts'
import { siteOf } from '../../post-link.ts'
import type { PublishedMedia, SandboxContext } from '../../context.ts'
import { type GraphNode, project } from '../meta/fields.ts'
import { type GraphCall, graphCalls } from '../meta/graph-host.ts'
import { badParameter, GraphError, graphTime, missingObject, type Params } from '../meta/graph.ts'
import { fetchMedia } from '../meta/fetch-media.ts'
import { caller, type Caller, publishingPage, canSee, pageUsage } from './access.ts'
import { facebook, type FacebookPhoto, type FacebookPost } from './state.ts'

const maxPhotoBytes = 10 * 1024 * 1024
const photoTypes = splitWords('image/jpeg image/png image/gif image/tiff image/bmp image/webp image/heif image/heic')
const unusedPhotoLifeMs = 24 * 3_600_000
const messageLimit = 63_206

/** `/{page}/photos` and `/{page}/feed` (docs/networks/facebook.md). */
export const facebookPosting = graphCalls(caller, { 'POST /:id/photos': addPhoto, 'POST /:id/feed': addPost })

async function addPhoto({ c, sandbox, params, id: pageId, who }: GraphCall<Caller>): Promise<Response> {
  const page = publishingPage(sandbox, who, pageId)
  const file = params.file('source')
  const url = params.text('url')
  if (!file && !url) throw new GraphError(324, { message: '(#324) Requires upload file' })
  const media = file ? await sandbox.storeBlob(file.stream()) : await fetchPhoto(sandbox, url ?? '')
  if (faulted(c, 'processing-fails') || !photoTypes.includes(media.type)) {
    throw invalidImage('The image could not be read.')
  }
  if (media.bytes > maxPhotoBytes) {
    const userMessage =
      "Your photos couldn't be uploaded. Photos should be smaller than 10 MB and saved as JPG, PNG, GIF, TIFF, HEIF or WebP files."
    throw new GraphError(100, {
      message: 'Invalid parameter',
      subcode: 1366046,
      userTitle: "Can't Read Files",
      userMessage,
    })
  }
  const state = facebook(sandbox)
  const id = sandbox.digits(15)
  state.photos[id] = {
    id,
    pageId: page.id,
    at: sandbox.now(),
    post: '',
    alt: params.text('alt_text_custom') ?? '',
    media,
  }
  pageUsage(c, page.id)
  if (params.flag('published') ?? true) {
    const message = params.text('message') ?? params.text('caption') ?? ''
    const post = storePost(sandbox, page.id, message, [id], true)
    applyDelays(c, post)
    return c.json({ id, post_id: post.id })
  }
  return c.json({ id })
}

async function fetchPhoto(sandbox: SandboxContext, url: string): Promise<PublishedMedia> {
  const fetched = await fetchMedia(sandbox, url, { redirects: true, limit: 64 * 1024 * 1024 })
  if (fetched.ok) return fetched.media
  throw invalidImage(`The image could not be fetched: ${fetched.why}`)
}

function invalidImage(userMessage: string): GraphError {
  const message = '(#324) Missing or invalid image file'
  return new GraphError(324, { message, subcode: 2069019, userTitle: 'Invalid file', userMessage })
}

function addPost({ c, sandbox, params, id, who }: GraphCall<Caller>): Response {
  const page = publishingPage(sandbox, who, id)
  const message = params.text('message') ?? ''
  if (message.length > messageLimit) throw badParameter('The message is too long')
  if (faulted(c, 'ghost-duplicate')) throw duplicate()
  const photos = attachedPhotos(c, sandbox, page.id, params)
  if (message.trim() === '' && photos.length === 0 && !params.text('link')) {
    throw badParameter('The post is empty. Please enter a message to share.')
  }
  const state = facebook(sandbox)
  const last = state.posts[state.lastPost[page.id]?.post ?? '']
  if (photos.length === 0 && last?.message === message && last.photos.length === 0 && last.video === '')
    throw duplicate()
  const post = storePost(sandbox, page.id, message, photos, params.flag('published') ?? true)
  applyDelays(c, post)
  pageUsage(c, page.id)
  const fields = params.text('fields')
  return c.json(fields ? project(postNode(sandbox, post), fields, ['id'], 'Post') : { id: post.id })
}

function duplicate(): GraphError {
  return new GraphError(506, {
    message: '(#506) Duplicate status message',
    userTitle: 'Duplicate Status Update',
    userMessage:
      'This status update is identical to the last one you posted. Try posting something different, or delete your previous update.',
  })
}

/** Whether an unused photo has expired, after about a day. */
function hasPhotoExpired(sandbox: SandboxContext, photo: FacebookPhoto): boolean {
  return photo.post === '' && photo.at + unusedPhotoLifeMs <= sandbox.now()
}

/**
 * The photos of a post. Throws 100/33 for one that does not exist or has expired, 1366051 for one that is used or
 * belongs to another page.
 */
function attachedPhotos(c: Context, sandbox: SandboxContext, pageId: string, params: Params): string[] {
  const list = params.list('attached_media') ?? []
  const ids = list.map((entry) => {
    const id: unknown =
      entry !== null && typeof entry === 'object' ? (entry as Record<string, unknown>)['media_fbid'] : undefined
    if (typeof id !== 'string' && typeof id !== 'number')
      throw badParameter('param attached_media must be an array of objects with media_fbid')
    return String(id)
  })
  const state = facebook(sandbox)
  for (const [index, id] of ids.entries()) {
    const photo = state.photos[id]
    if (photo?.post === '' && faulted(c, 'expire-container')) photo.at = sandbox.now() - unusedPhotoLifeMs
    if (!photo || hasPhotoExpired(sandbox, photo)) throw missingObject('post', id)
    if (photo.pageId !== pageId || photo.post !== '' || ids.indexOf(id) !== index) {
      throw new GraphError(100, {
        message: 'Invalid parameter',
        subcode: 1366051,
        userTitle: 'Photos Already Posted',
        userMessage: 'These photos were already posted.',
      })
    }
  }
  return ids
}

/** Stores a post of unpublished photos, which count as used from then on, and makes it public if it is published. */
function storePost(
  sandbox: SandboxContext,
  pageId: string,
  message: string,
  photos: string[],
  published: boolean,
): FacebookPost {
  const state = facebook(sandbox)
  const number = sandbox.digits(15)
  const id = `${pageId}_${number}`
  const at = sandbox.now()
  const path = photos.length === 1 ? `photo/?fbid=${photos[0]}` : `${pageId}/posts/${number}`
  const permalink = `${siteOf('facebook')}/${path}`
  const shown = photos.map((photo) => state.photos[photo]!)
  for (const photo of shown) photo.post = id
  if (published) {
    state.lastPost[pageId] = { post: id }
    sandbox.publish({
      platform: 'facebook',
      pageId,
      id,
      title: '',
      text: message,
      media: shown.map((photo) => photo.media),
      permalink,
      at: new Date(at).toISOString(),
      extras: { altTexts: shown.map((photo) => photo.alt) },
    })
  }
  return insert(state.posts, { id, pageId, message, at, published, photos, video: '', permalink })
}

/** A post as `GET /{post}` and the lists of a page show it. */
export function postNode(sandbox: SandboxContext, post: FacebookPost): GraphNode {
  const state = facebook(sandbox)
  const page = state.pages[post.pageId]
  const photos = post.photos.flatMap((id) => state.photos[id] ?? [])
  return {
    id: post.id,
    message: post.message || undefined,
    created_time: graphTime(post.at),
    updated_time: graphTime(post.at),
    permalink_url: post.permalink,
    is_published: post.published,
    from: { name: page?.name, id: post.pageId },
    status_type: post.video ? 'added_video' : photos.length > 0 ? 'added_photos' : 'mobile_status_update',
    full_picture: photos[0] ? `${sandbox.url}/wall/media/${photos[0].media.sha256}` : undefined,
    object_id: post.video || photos[0]?.id,
    attachments: attachments(sandbox, post, photos),
  }
}

function attachments(sandbox: SandboxContext, post: FacebookPost, photos: FacebookPhoto[]): GraphNode | undefined {
  if (post.video) {
    const url = `${siteOf('facebook')}/reel/${post.video}`
    return { data: [{ media_type: 'video', type: 'video_inline', target: { id: post.video, url }, url }] }
  }
  const shown = photos.map((photo) => {
    const url = `${siteOf('facebook')}/photo/?fbid=${photo.id}`
    const { width, height, sha256 } = photo.media
    return {
      media_type: 'photo',
      type: 'photo',
      media: { image: { height, src: `${sandbox.url}/wall/media/${sha256}`, width } },
      target: { id: photo.id, url },
      url,
    }
  })
  if (shown.length <= 1) return shown.length === 0 ? undefined : { data: shown }
  const album = { id: post.id.split('_')[1], url: post.permalink }
  return {
    data: [{ media_type: 'album', type: 'album', target: album, url: post.permalink, subattachments: { data: shown } }],
  }
}

/** `DELETE /{post}`. */
export function deletePost(sandbox: SandboxContext, who: Caller, id: string): void {
  const state = facebook(sandbox)
  const post = state.posts[id]
  if (!post || !canSee(who, post.pageId)) throw missingObject('delete', id)
  publishingPage(sandbox, who, post.pageId)
  delete state.posts[id]
  sandbox.unpublish('facebook', post.video || id)
}
