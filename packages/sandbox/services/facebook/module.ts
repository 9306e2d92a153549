import type { Context } from 'hono'
import type { ServiceModule, SandboxContext } from '../../context.ts'
import { graphHost, type GraphCall } from '../meta/graph.ts'
import { one, publishedPosts } from './nodes.ts'
import { exchangeToken, facebookWww } from './oauth.ts'
import { accounts, businesses, businessPages, permissions, revokePermissions } from './people.ts'
import { addPhoto, addPost } from './posts.ts'
import { finishDueVideos } from './processing.ts'
import { addReel } from './reels.ts'
import { facebookRupload } from './rupload.ts'
import { facebook, facebookIdentities, makeFacebookPages } from './state.ts'
import { startUpload, takeUpload, uploadOffset } from './uploads.ts'
import { addVideo } from './videos.ts'

const calls: readonly GraphCall[] = [
  ['GET', '/oauth/access_token', exchangeToken],
  ['POST', '/oauth/access_token', exchangeToken],
  ['GET', '/:id/accounts', accounts],
  ['GET', '/:id/businesses', businesses],
  ['GET', '/:id/:edge{owned_pages|client_pages}', businessPages],
  ['GET', '/:id/permissions', permissions],
  ['DELETE', '/:id/permissions', revokePermissions],
  ['POST', '/:id/photos', addPhoto],
  ['POST', '/:id/feed', addPost],
  ['POST', '/:id/video_reels', addReel],
  ['POST', '/:id/videos', addVideo],
  ['POST', '/:id/uploads', startUpload],
  ['POST', '/:session{upload:.+}', takeUpload],
  ['GET', '/:session{upload:.+}', uploadOffset],
  ['GET', '/:id/published_posts', publishedPosts],
  ['GET', '/:id', one],
]

function host(sandbox: SandboxContext) {
  // Videos that were processing when the sandbox stopped continue.
  finishDueVideos(sandbox)
  return graphHost(sandbox, calls, (c: Context) => {
    finishDueVideos(sandbox)
    c.header('facebook-api-version', /\/(v\d+(?:\.\d+)?)\//.exec(c.req.path)?.[1] ?? 'v26.0')
    c.header('x-fb-rev', '1031200000')
  })
}

/** Facebook Pages: consent, tokens, photos, feed, reels, videos (docs/networks/facebook.md). */
export const facebookModule: ServiceModule = {
  service: 'facebook',
  hosts: {
    'www.facebook.com': facebookWww,
    'graph.facebook.com': host,
    'graph-video.facebook.com': host,
    'rupload.facebook.com': facebookRupload,
  },
  defaults: (sandbox) => ({
    identities: facebookIdentities(sandbox),
    pages: Object.values(facebook(sandbox).pages).map(({ id, name, tasks }) => ({ id, name, tasks: [...tasks] })),
  }),
  makePages: makeFacebookPages,
}
