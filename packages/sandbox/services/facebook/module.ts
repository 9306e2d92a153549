import { Hono } from 'hono'
import type { ServiceModule, SandboxContext } from '../../context.ts'
import { GraphError, graphErrorBody, graphRoute } from '../meta/graph.ts'
import { facebookNodes } from './nodes.ts'
import { facebookTokens, facebookWww } from './oauth.ts'
import { facebookPeople } from './people.ts'
import { facebookPosting } from './posts.ts'
import { finishDueVideos } from './processing.ts'
import { facebookReels } from './reels.ts'
import { facebookRupload } from './rupload.ts'
import { facebook, facebookIdentities, makeFacebookPages } from './state.ts'
import { facebookUploads } from './uploads.ts'
import { facebookVideos } from './videos.ts'

/**
 * Every path of a Graph host, with any version or none. Graph serves an expired version with the oldest supported one.
 */
function graphHost(sandbox: SandboxContext, parts: readonly ((sandbox: SandboxContext) => Hono)[]): Hono {
  const app = new Hono()
  app.use('*', async (c, next) => {
    finishDueVideos(sandbox)
    c.header('facebook-api-version', /\/(v\d+(?:\.\d+)?)\//.exec(c.req.path)?.[1] ?? 'v26.0')
    c.header('x-fb-rev', '1031200000')
    await next()
  })
  const graph = new Hono()
  for (const part of parts) graph.route('/', part(sandbox))
  app.route('/:version{v[0-9]+(?:[.][0-9]+)?}', graph)
  app.route('/', graph)
  const unknown = graphRoute((c) => {
    const path = c.req.path.replace(/^\/[^/]+(\/v[0-9.]+)?/, '')
    throw new GraphError(2500, { message: `Unknown path components: ${path}`, type: 'OAuthException' })
  })
  app.all('*', unknown)
  app.onError((error, c) => {
    console.error('sandbox facebook', error)
    return c.json(
      graphErrorBody(new GraphError(1, { message: 'An unknown error has occurred.', transient: true })),
      500,
    )
  })
  return app
}

/** Facebook Pages: consent, tokens, photos, feed, reels, videos (docs/networks/facebook.md). */
export const facebookModule: ServiceModule = {
  service: 'facebook',
  hosts: {
    'www.facebook.com': facebookWww,
    'graph.facebook.com': (sandbox) => {
      // Videos that were processing when the sandbox stopped continue.
      finishDueVideos(sandbox)
      return graphHost(sandbox, [
        facebookTokens,
        facebookPeople,
        facebookPosting,
        facebookReels,
        facebookVideos,
        facebookUploads,
        facebookNodes,
      ])
    },
    'graph-video.facebook.com': (sandbox) => graphHost(sandbox, [facebookVideos, facebookReels, facebookNodes]),
    'rupload.facebook.com': facebookRupload,
  },
  defaults: (sandbox) => ({
    identities: facebookIdentities(sandbox),
    pages: Object.values(facebook(sandbox).pages).map(({ id, name, tasks }) => ({ id, name, tasks: [...tasks] })),
  }),
  makePages: makeFacebookPages,
}
