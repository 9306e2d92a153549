import { bearer } from '../../request-body.ts'
import { Hono } from 'hono'
import { faulted } from '../../request-faults.ts'
import { redirectToFeed } from '../../post-link.ts'
import type { ServiceModule, SandboxContext } from '../../context.ts'
import { withAndWithoutSlash } from './answers.ts'
import { authorize, oauthRoutes } from './oauth.ts'
import { publishRoutes } from './publish.ts'
import { finishDueUploads, resumeProcessing } from './processing.ts'
import { identities, makeNextCreator, pageOf, revokeGrant, tiktokState } from './state.ts'
import { uploadRoutes } from './upload.ts'
import { userInfo, videoList } from './user.ts'

function www(sandbox: SandboxContext): Hono {
  const routes = new Hono()
  routes.on(['GET', 'POST'], withAndWithoutSlash('/v2/auth/authorize'), (c) => authorize(c, sandbox))
  return routes.get('/*', (c) => redirectToFeed(c, sandbox, 'tiktok'))
}

function api(sandbox: SandboxContext): Hono {
  const routes = new Hono()
  routes.use(async (c, next) => {
    finishDueUploads(sandbox)
    const state = tiktokState(sandbox)
    const token = state.access[bearer(c)]
    if (token && faulted(c, 'expire-token')) token.expiresAt = sandbox.now()
    if (token && faulted(c, 'revoke-token')) revokeGrant(sandbox, token.grant)
    await next()
  })
  routes.route('/v2/oauth', oauthRoutes(sandbox))
  routes.route('/v2/post/publish', publishRoutes(sandbox))
  routes.on('GET', withAndWithoutSlash('/v2/user/info'), (c) => userInfo(c, sandbox))
  routes.on('POST', withAndWithoutSlash('/v2/video/list'), (c) => videoList(c, sandbox))
  return routes
}

/**
 * TikTok: Login Kit and the Content Posting API for direct video posts (docs/networks/tiktok.md). Every creator is a
 * login with one page. Limits per minute and day apply while quotas are on. An app whose client key contains
 * `unaudited` is bound by the rules for unaudited apps.
 */
export const tiktok: ServiceModule = {
  service: 'tiktok',
  hosts: {
    'www.tiktok.com': www,
    'open.tiktokapis.com': (sandbox) => {
      resumeProcessing(sandbox)
      return api(sandbox)
    },
    'open-upload.tiktokapis.com': uploadRoutes,
  },
  defaults: (sandbox) => ({ identities: identities(sandbox) }),
  makePage: (sandbox) => pageOf(makeNextCreator(sandbox)),
}
