import { Hono } from 'hono'
import type { ServiceModule, SandboxContext } from '../../context.ts'
import { graphHost } from '../meta/graph-host.ts'
import { facebookNodes } from './nodes.ts'
import { facebookTokens, facebookWww } from './oauth.ts'
import { facebookPeople, facebookPermissions } from './people.ts'
import { facebookPosting } from './posts.ts'
import { finishDueVideos } from './processing.ts'
import { facebookReels } from './reels.ts'
import { facebookRupload } from './rupload.ts'
import { facebook, facebookIdentities, makeFacebookPage } from './state.ts'
import { facebookUploads, facebookUploadStart } from './uploads.ts'
import { facebookVideos } from './videos.ts'

function facebookHost(sandbox: SandboxContext, parts: Parameters<typeof graphHost>[1]): Hono {
  const app = new Hono()
  app.use('*', async (c, next) => {
    finishDueVideos(sandbox)
    c.header('facebook-api-version', /\/(v\d+(?:\.\d+)?)\//.exec(c.req.path)?.[1] ?? 'v26.0')
    c.header('x-fb-rev', '1031200000')
    await next()
  })
  return graphHost(sandbox, parts, app)
}

/** Facebook Pages: consent, tokens, photos, feed, reels, videos (docs/networks/facebook.md). */
export const facebookModule: ServiceModule = {
  service: 'facebook',
  hosts: {
    'www.facebook.com': facebookWww,
    'graph.facebook.com': (sandbox) => {
      // Videos that were processing when the sandbox stopped continue.
      finishDueVideos(sandbox)
      return facebookHost(sandbox, [
        facebookTokens,
        facebookPeople,
        facebookPermissions,
        facebookPosting,
        facebookReels,
        facebookVideos,
        facebookUploadStart,
        facebookUploads,
        facebookNodes,
      ])
    },
    'graph-video.facebook.com': (sandbox) => facebookHost(sandbox, [facebookVideos, facebookReels, facebookNodes]),
    'rupload.facebook.com': facebookRupload,
  },
  defaults: (sandbox) => ({
    identities: facebookIdentities(sandbox),
    pages: Object.values(facebook(sandbox).pages).map(({ id, name, tasks }) => ({ id, name, tasks: [...tasks] })),
  }),
  makePage: makeFacebookPage,
}
