import { Hono } from 'hono'
import { toWall } from '../../post-link.ts'
import type { ServiceModule, World } from '../../world.ts'
import { registerGoogleGrants } from '../google-grants.ts'
import { identities, makeChannels } from './state.ts'
import { uploadRoutes } from './upload.ts'
import { readRoutes } from './videos.ts'

registerGoogleGrants({
  service: 'youtube',
  network: 'youtube',
  handles: (scopes) => scopes.some((scope) => /^https:\/\/www\.googleapis\.com\/auth\/youtube(\.|$)/.test(scope)),
  identities,
})

function www(world: World): Hono {
  const routes = new Hono()
  routes.get('/watch', (c) => toWall(c, world, 'youtube', c.req.query('v') ?? ''))
  routes.get('/shorts/:id', (c) => toWall(c, world, 'youtube', c.req.param('id')))
  return routes
}

/**
 * YouTube's stand-in: channels, resumable uploads and their processing (docs/networks/youtube.md). Consent and tokens are Google's
 * (`google-grants.ts`). Every channel is a login with one page. The daily quotas hold while quotas are on; whether an
 * app was audited makes no difference to who may see what it uploads.
 */
export const youtube: ServiceModule = {
  service: 'youtube',
  hosts: {
    'www.googleapis.com/youtube': readRoutes,
    'www.googleapis.com/upload': uploadRoutes,
    'www.youtube.com': www,
  },
  defaults: (world) => ({ identities: identities(world) }),
  makePages: (world, count) => makeChannels(world, count).map(({ id, title }) => ({ id, name: title })),
}
