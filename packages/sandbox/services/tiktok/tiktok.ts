import { Hono } from 'hono'
import { faultOf } from '../../door.ts'
import { toWall } from '../../post-link.ts'
import type { Identity, ServiceModule, World } from '../../world.ts'
import { bearer, slashed } from './answers.ts'
import { authorize, oauthRoutes } from './oauth.ts'
import { publishRoutes } from './publish.ts'
import { settle, wakeAll } from './settle.ts'
import type { Creator } from './state.ts'
import { makeCreators, revokeGrant, tiktokState } from './state.ts'
import { uploadRoutes } from './upload.ts'
import { userInfo, videoList } from './user.ts'

function identity(creator: Creator): Identity {
  const { openId, nickname, username } = creator
  return { id: openId, name: nickname, username, pages: [{ id: openId, name: nickname }] }
}

function www(world: World): Hono {
  const routes = new Hono()
  routes.on(['GET', 'POST'], slashed('/v2/auth/authorize'), (c) => authorize(c, world))
  routes.on('GET', slashed('/:handle{@[^/]+}/video/:id'), (c) => toWall(c, world, 'tiktok', c.req.param('id') ?? ''))
  return routes
}

function api(world: World): Hono {
  const routes = new Hono()
  routes.use(async (c, next) => {
    settle(world)
    const fault = faultOf(c)
    const state = tiktokState(world)
    const token = state.access[bearer(c)]
    if (token && fault?.kind === 'expire-token') token.expiresAt = world.now()
    if (token && fault?.kind === 'revoke-token') revokeGrant(world, token.grant)
    await next()
  })
  routes.route('/v2/oauth', oauthRoutes(world))
  routes.route('/v2/post/publish', publishRoutes(world))
  routes.on('GET', slashed('/v2/user/info'), (c) => userInfo(c, world))
  routes.on('POST', slashed('/v2/video/list'), (c) => videoList(c, world))
  return routes
}

/**
 * TikTok's stand-in: Login Kit and the Content Posting API for direct video posts (docs/networks/tiktok.md). Every creator is a
 * login with one page. Limits per minute and day hold while quotas are on. An app whose client key holds `unaudited` is
 * bound by the rules for unaudited apps (4.3).
 */
export const tiktok: ServiceModule = {
  service: 'tiktok',
  hosts: {
    'www.tiktok.com': www,
    'open.tiktokapis.com': (world) => {
      wakeAll(world)
      return api(world)
    },
    'open-upload.tiktokapis.com': uploadRoutes,
  },
  defaults: (world) => ({ identities: tiktokState(world).creators.map(identity) }),
  makePages: (world, count) => makeCreators(world, count).flatMap((creator) => identity(creator).pages),
}
