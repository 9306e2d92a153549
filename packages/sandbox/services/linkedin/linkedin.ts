import { Hono } from 'hono'
import { redirectToFeed } from '../../post-link.ts'
import type { ServiceModule, SandboxContext } from '../../context.ts'
import { faultToken, refuse, requireVersion } from './answers.ts'
import { assetRoutes } from './assets.ts'
import { identities, oauthRoutes } from './oauth.ts'
import { organizationRoutes } from './organizations.ts'
import { postRoutes } from './posts.ts'
import { makeNextOrganization } from './state.ts'
import { uploadRoutes } from './upload.ts'

const restMethods = ['GET', 'BATCH_GET', 'FINDER', 'CREATE', 'DELETE', 'ACTION']

function www(sandbox: SandboxContext): Hono {
  const routes = new Hono()
  routes.route('/oauth/v2', oauthRoutes(sandbox))
  routes.use('/dms-uploads/*', async (c, next) => {
    faultToken(c, sandbox)
    await next()
  })
  routes.route('/dms-uploads', uploadRoutes(sandbox))
  return routes.get('/*', (c) => redirectToFeed(c, sandbox, 'linkedin'))
}

function api(sandbox: SandboxContext): Hono {
  const routes = new Hono()
  routes.use('/rest/*', async (c, next) => {
    requireVersion(c)
    const method = c.req.header('x-restli-method')
    if (method !== undefined && !restMethods.includes(method.toUpperCase())) {
      throw refuse(400, 'ILLEGAL_ARGUMENT', `Unknown X-RestLi-Method: ${method}`)
    }
    faultToken(c, sandbox)
    await next()
  })
  routes.route('/rest', organizationRoutes(sandbox))
  routes.route('/rest', assetRoutes(sandbox))
  routes.route('/rest', postRoutes(sandbox))
  routes.all('/rest/*', (c) => {
    throw refuse(404, 'RESOURCE_NOT_FOUND', `No virtual resource found for ${c.req.path}`)
  })
  return routes
}

/**
 * LinkedIn: consent, organization pages, images, videos and posts of the Community Management API
 * (docs/networks/linkedin.md). Each of its two members manages two pages. The second gets no refresh tokens, as with
 * most apps.
 */
export const linkedin: ServiceModule = {
  service: 'linkedin',
  hosts: { 'www.linkedin.com': www, 'api.linkedin.com': api },
  defaults: (sandbox) => ({ identities: identities(sandbox) }),
  makePage: makeNextOrganization,
}
