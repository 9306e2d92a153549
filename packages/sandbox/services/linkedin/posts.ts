import { type Context, Hono } from 'hono'
import { faulted, listedAsOf, applyDelays, statusAsOf } from '../../request-faults.ts'
import { jsonBody } from '../../request-body.ts'
import { siteOf } from '../../post-link.ts'
import type { Refusal } from '../../refusal.ts'
import { withoutTracking, type DeepReadonly } from '../../store-track.ts'
import type { SandboxContext } from '../../context.ts'
import { allowed, denied, rawQuery, refuse, refuseInput, restliError, signedIn, urnInPath } from './answers.ts'
import { shownText } from './little-text.ts'
import { requireShape, type Shape } from './shape.ts'
import { type LinkedIn, type Post, type PostBody, assetStatus, linkedinState, postsFor } from './state.ts'

const duplicateWindowMs = 10 * 60_000
const maxTextLength = 3000
const maxAltTextLength = 4086

const postShape: Shape = {
  author: 'string',
  commentary: 'string',
  visibility: 'string',
  distribution: { feedDistribution: 'string', targetEntities: 'array', thirdPartyDistributionChannels: 'array' },
  'content?': {
    'media?': { id: 'string', 'title?': 'string', 'altText?': 'string' },
    'multiImage?': { images: [{ id: 'string', 'altText?': 'string' }] },
  },
  lifecycleState: 'string',
  'isReshareDisabledByAuthor?': 'boolean',
}

/** Throws the 400 for values that cannot be posted. */
function requireContent(body: PostBody, sandbox: SandboxContext, state: LinkedIn): void {
  const { content } = body
  if (!/^urn:li:organization:\d+$/.test(body.author))
    throw refuseInput('INVALID_URN_TYPE', `author is not an organization URN: ${body.author}`)
  if (body.visibility !== 'PUBLIC')
    throw refuseInput('INVALID_VALUE_FOR_FIELD', 'visibility of an organization post must be PUBLIC')
  if (!['MAIN_FEED', 'NONE'].includes(body.distribution.feedDistribution))
    throw refuseInput('INVALID_VALUE_FOR_FIELD', 'feedDistribution must be MAIN_FEED or NONE')
  if (body.lifecycleState !== 'PUBLISHED')
    throw refuseInput('INVALID_VALUE_FOR_FIELD', 'lifecycleState must be PUBLISHED')
  // LinkedIn counts the backslashes as well.
  if (body.commentary.length > maxTextLength)
    throw refuseInput('FIELD_LENGTH_TOO_LONG', `commentary is longer than ${maxTextLength} characters`)
  if (content && (content.media === undefined) === (content.multiImage === undefined)) {
    throw refuseInput('INVALID_VALUE_FOR_FIELD', 'content must hold exactly one of media and multiImage')
  }
  const images = content?.multiImage?.images
  if (images && (images.length < 2 || images.length > 20))
    throw refuseInput('INVALID_VALUE_FOR_FIELD', 'multiImage takes 2 to 20 images')
  if (!content && !body.commentary.trim())
    throw refuseInput('INVALID_VALUE_FOR_FIELD', 'A post needs commentary or content')
  for (const one of mediaOf(body)) {
    if ((one.altText?.length ?? 0) > maxAltTextLength)
      throw refuseInput('FIELD_LENGTH_TOO_LONG', `altText is longer than ${maxAltTextLength} characters`)
    const asset = state.assets[one.id]
    if (!asset || (images && asset.kind !== 'image')) throw refuseInput('INVALID_URN_ID', `No such media: ${one.id}`)
    if (asset.owner !== body.author) throw refuseInput('INVALID_URN_ID', `${one.id} is not owned by the author`)
    const status = assetStatus(asset, sandbox.now())
    if (status === 'WAITING_UPLOAD')
      throw refuseInput('MEDIA_ASSET_WAITING_UPLOAD', `${one.id} is waiting for its upload`)
    if (status === 'PROCESSING') throw refuseInput('MEDIA_ASSET_PROCESSING', `${one.id} is still being processed`)
    if (status === 'PROCESSING_FAILED')
      throw refuseInput('MEDIA_ASSET_PROCESSING_FAILED', `The processing of ${one.id} failed`)
  }
}

function duplicate(urn: string): Refusal {
  return restliError({
    errorDetailType: 'com.linkedin.common.error.BadRequest',
    message: `com.linkedin.content.common.exception.BadRequestResponseException: Content is a duplicate of ${urn}`,
    errorDetails: { inputErrors: [{ description: 'Duplicate post is detected', input: {}, code: 'DUPLICATE_POST' }] },
    status: 422,
  })
}

/** The images or the video of a post. */
function mediaOf({ content }: DeepReadonly<PostBody>) {
  return content?.multiImage?.images ?? (content?.media ? [content.media] : [])
}

const mediaIds = (body: DeepReadonly<PostBody>): string[] => mediaOf(body).map((one) => one.id)

async function create(c: Context, sandbox: SandboxContext): Promise<Response> {
  const grant = signedIn(c, sandbox)
  const body = requireShape<PostBody>(await jsonBody(c), postShape)
  const state = linkedinState(sandbox)
  if (!grant.scopes.includes('w_organization_social')) {
    throw refuse(400, 'ILLEGAL_ARGUMENT', 'Organization permissions must be used when using organization as author')
  }
  requireContent(body, sandbox, state)
  if (!postsFor(state, grant.member, body.author)) throw denied(c, 'posts.CREATE')
  // The duplicate refusal names a post that nobody can read (docs/networks/linkedin.md).
  if (faulted(c, 'ghost-duplicate')) throw duplicate(`urn:li:share:7${sandbox.digits(18)}`)
  const now = sandbox.now()
  const ids = mediaIds(body)
  const earlier = Object.values(withoutTracking(state.posts)).find((one) => {
    const recent = one.author === body.author && one.createdAt > now - duplicateWindowMs && !one.fails
    return recent && one.commentary === body.commentary && mediaIds(one).join() === ids.join()
  })
  if (earlier) throw duplicate(earlier.urn)
  const assets = ids.map((id) => state.assets[id])
  const isVideo = assets.some((asset) => asset?.kind === 'video')
  const urn = `urn:li:${isVideo ? 'ugcPost' : 'share'}:7${sandbox.digits(18)}`
  const fails = faulted(c, 'processing-fails')
  state.posts[urn] = {
    ...body,
    urn,
    createdAt: now,
    settledAt: isVideo || fails ? now + sandbox.settings.processingMs : now,
    fails,
    deleted: false,
  }
  applyDelays(c, state.posts[urn])
  if (!fails) {
    sandbox.publish({
      platform: 'linkedin',
      pageId: body.author.split(':').at(-1) ?? '',
      id: urn,
      title: body.content?.media?.title ?? '',
      text: shownText(body.commentary),
      media: assets.flatMap((asset) => (asset?.media ? [{ ...asset.media }] : [])),
      permalink: `${siteOf('linkedin')}/feed/update/${urn}/`,
      at: new Date(now).toISOString(),
      extras: { altTexts: mediaOf(body).map((one) => one.altText ?? '') },
    })
  }
  return c.body(null, 201, { 'x-restli-id': urn, location: `/posts/${encodeURIComponent(urn)}` })
}

/** A post as of `asOf`, which is in the past while a delay hides its newest status. */
function view(post: DeepReadonly<Post>, asOf: number) {
  const state = post.settledAt > asOf ? 'PUBLISH_REQUESTED' : post.fails ? 'PUBLISH_FAILED' : 'PUBLISHED'
  const { author, commentary, visibility, distribution, content, isReshareDisabledByAuthor = false } = post
  return {
    id: post.urn,
    author,
    commentary,
    visibility,
    distribution,
    ...(content && { content }),
    lifecycleState: state,
    isReshareDisabledByAuthor,
    createdAt: post.createdAt,
    lastModifiedAt: post.createdAt,
    ...(state === 'PUBLISHED' ? { publishedAt: post.settledAt } : {}),
  }
}

function find(c: Context, sandbox: SandboxContext): Response {
  const grant = allowed(c, sandbox, ['r_organization_social'], 'posts.FINDER-author')
  const raw = rawQuery(c, 'author')
  if (c.req.query('q') !== 'author' || !raw || raw.includes(':')) {
    throw refuse(400, 'ILLEGAL_ARGUMENT', 'Invalid query parameters passed to request')
  }
  const sortBy = c.req.query('sortBy') ?? 'LAST_MODIFIED'
  const [start, count] = [Number(c.req.query('start') ?? 0), Number(c.req.query('count') ?? 10)]
  if (!['LAST_MODIFIED', 'CREATED'].includes(sortBy) || !(start >= 0) || !(count >= 1 && count <= 100)) {
    throw refuse(400, 'ILLEGAL_ARGUMENT', 'Invalid query parameters passed to request')
  }
  const state = linkedinState(sandbox)
  const author = decodeURIComponent(raw)
  if (!postsFor(state, grant.member, author)) throw denied(c, 'posts.FINDER-author')
  // The finder's index lags behind.
  const indexed = sandbox.now() - sandbox.settings.processingMs
  const mine = Object.values(withoutTracking(state.posts))
    .filter((one) => one.author === author && !one.deleted && one.createdAt <= listedAsOf(c, one, indexed))
    .toSorted((a, b) => b.createdAt - a.createdAt)
  const elements = mine.slice(start, start + count).map((one) => view(one, statusAsOf(c, one, sandbox.now())))
  return c.json({ paging: { start, count, links: [], total: mine.length }, elements })
}

function show(c: Context, sandbox: SandboxContext): Response {
  const grant = allowed(c, sandbox, ['r_organization_social'], 'posts.GET')
  const urn = urnInPath(c)
  const state = linkedinState(sandbox)
  const post = state.posts[urn]
  if (!post || post.deleted) throw refuse(404, 'NOT_FOUND', `Could not find entity ${urn}`)
  if (!postsFor(state, grant.member, post.author)) throw denied(c, 'posts.GET')
  return c.json(view(post, statusAsOf(c, post, sandbox.now())))
}

function remove(c: Context, sandbox: SandboxContext): Response {
  const grant = allowed(c, sandbox, ['w_organization_social'], 'posts.DELETE')
  const urn = urnInPath(c)
  const state = linkedinState(sandbox)
  const post = state.posts[urn]
  if (post && !postsFor(state, grant.member, post.author)) throw denied(c, 'posts.DELETE')
  if (post && !post.deleted) {
    post.deleted = true
    sandbox.unpublish('linkedin', urn)
  }
  return c.body(null, 204)
}

/** `posts` below `/rest`. */
export function postRoutes(sandbox: SandboxContext): Hono {
  const routes = new Hono()
  routes.post('/posts', (c) => create(c, sandbox))
  routes.get('/posts', (c) => find(c, sandbox))
  routes.get('/posts/:urn', (c) => show(c, sandbox))
  routes.delete('/posts/:urn', (c) => remove(c, sandbox))
  return routes
}
