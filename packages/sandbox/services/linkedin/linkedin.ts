import { Hono } from 'hono'
import { faultOf } from '../../door.ts'
import { toWall } from '../../post-link.ts'
import type { ServiceModule, World } from '../../world.ts'
import { bearer, refuse, versionFlaw } from './answers.ts'
import { assetRoutes } from './assets.ts'
import { identities, oauthRoutes } from './oauth.ts'
import { organizationRoutes } from './organizations.ts'
import { postRoutes } from './posts.ts'
import { linkedinState, makeOrganizations } from './state.ts'
import { uploadRoutes } from './upload.ts'

const restMethods = ['GET', 'BATCH_GET', 'FINDER', 'CREATE', 'DELETE', 'ACTION']

function www(world: World): Hono {
  const routes = new Hono()
  routes.route('/oauth/v2', oauthRoutes(world))
  routes.use('/dms-uploads/*', async (c, next) => {
    tokenFaults(c, world)
    await next()
  })
  routes.route('/dms-uploads', uploadRoutes(world))
  for (const path of ['/feed/update/:urn', '/feed/update/:urn/'])
    routes.get(path, (c) => toWall(c, world, 'linkedin', c.req.param('urn') ?? ''))
  return routes
}

function tokenFaults(c: Parameters<typeof bearer>[0], world: World): void {
  const kind = faultOf(c)?.kind
  const state = linkedinState(world)
  const token = state.access[bearer(c)]
  const grant = token && state.grants[token.grant]
  if (token && kind === 'expire-token') token.expiresAt = world.now()
  if (grant && kind === 'revoke-token') grant.revoked = true
}

function api(world: World): Hono {
  const routes = new Hono()
  routes.use('/rest/*', async (c, next) => {
    const dead = versionFlaw(c)
    if (dead) return dead
    const method = c.req.header('x-restli-method')
    if (method !== undefined && !restMethods.includes(method.toUpperCase())) {
      return refuse(c, 400, 'ILLEGAL_ARGUMENT', `Unknown X-RestLi-Method: ${method}`)
    }
    tokenFaults(c, world)
    await next()
    return undefined
  })
  routes.route('/rest', organizationRoutes(world))
  routes.route('/rest', assetRoutes(world))
  routes.route('/rest', postRoutes(world))
  routes.all('/rest/*', (c) => refuse(c, 404, 'RESOURCE_NOT_FOUND', `No virtual resource found for ${c.req.path}`))
  return routes
}

/**
 * LinkedIn's stand-in: consent, organization pages, images, videos and posts of the Community Management API (docs/networks/linkedin.md).
 * Each of its two members looks after two pages; the second gets no refresh tokens, as most apps do not.
 */
export const linkedin: ServiceModule = {
  service: 'linkedin',
  hosts: { 'www.linkedin.com': www, 'api.linkedin.com': api },
  defaults: (world) => ({ identities: identities(world) }),
  makePages: (world, count) => makeOrganizations(world, count).map(({ id, name }) => ({ id, name })),
}
