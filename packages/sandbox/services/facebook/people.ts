import { Hono } from 'hono'
import type { Context } from 'hono'
import { siteOf } from '../../post-link.ts'
import { portraitOf } from '../../feed-files.ts'
import type { SandboxContext } from '../../context.ts'
import { type GraphNode, pageOf, parseFields, project } from '../meta/fields.ts'
import { GraphError, graphRoute, missingObject, type Params, readParams } from '../meta/graph.ts'
import { assertAlive, caller, type Caller, revokeGrants, usageHeaders } from './access.ts'
import { pageToken } from './oauth.ts'
import { facebook, type FacebookPage } from './state.ts'

/** `/{user}/accounts`, businesses and their pages, `/{user}/permissions` and its DELETE (docs/networks/facebook.md). */
export function facebookPeople(sandbox: SandboxContext): Hono {
  const app = new Hono()

  app.get(
    '/:id/accounts',
    graphRoute(async (c) => {
      const params = await readParams(c)
      const who = caller(c, sandbox, params)
      person(sandbox, who, c.req.param('id'), 'get')
      if (!who.grant.scopes.includes('pages_show_list')) return c.json({ data: [] })
      const state = facebook(sandbox)
      const pages = who.grant.pages.flatMap((id) => state.pages[id] ?? [])
      return pageList(c, sandbox, who, params, pages)
    }),
  )

  app.get(
    '/:id/businesses',
    graphRoute(async (c) => {
      const params = await readParams(c)
      const who = caller(c, sandbox, params)
      person(sandbox, who, c.req.param('id'), 'get')
      needBusiness(who)
      const mine = Object.values(facebook(sandbox).businesses).filter((one) => one.userId === who.grant.userId)
      return c.json({
        data: mine.map(({ id, name }) => project({ id, name }, params.text('fields'), ['id', 'name'], 'Business')),
      })
    }),
  )
  for (const edge of ['owned_pages', 'client_pages']) {
    app.get(
      `/:id/${edge}`,
      graphRoute(async (c) => {
        const params = await readParams(c)
        const who = caller(c, sandbox, params)
        needBusiness(who)
        const state = facebook(sandbox)
        const business = state.businesses[c.req.param('id') ?? '']
        if (!business || business.userId !== who.grant.userId || who.token.kind !== 'user')
          throw missingObject('get', c.req.param('id') ?? '')
        const pages = edge === 'owned_pages' ? business.pages.flatMap((id) => state.pages[id] ?? []) : []
        return pageList(c, sandbox, who, params, pages)
      }),
    )
  }

  app.get(
    '/:id/permissions',
    graphRoute(async (c) => {
      const who = caller(c, sandbox, await readParams(c))
      person(sandbox, who, c.req.param('id'), 'get')
      const granted = who.grant.scopes.map((permission) => ({ permission, status: 'granted' }))
      return c.json({
        data: [...granted, ...who.grant.declined.map((permission) => ({ permission, status: 'declined' }))],
      })
    }),
  )

  const revoke = graphRoute(async (c) => {
    const params = await readParams(c)
    const id = c.req.param('id') ?? ''
    const name = c.req.param('name')
    const state = facebook(sandbox)
    const [appId = '', secret] = (params.text('access_token') ?? '').split('|')
    let userId = id
    if (secret === undefined) {
      const who = caller(c, sandbox, params)
      person(sandbox, who, id, 'delete')
      userId = who.grant.userId
      drop(sandbox, who.grant.appId, userId, name)
    } else {
      if (!state.apps[appId] || state.apps[appId]?.secret !== secret)
        throw new GraphError(190, { message: 'Invalid OAuth access token signature.' })
      if (!state.users[id]) throw missingObject('delete', id)
      drop(sandbox, appId, userId, name)
    }
    return c.json({ success: true })
  })
  app.delete('/:id/permissions', revoke)
  app.delete('/:id/permissions/:name', revoke)
  return app
}

function needBusiness(who: Caller): void {
  if (who.grant.scopes.includes('business_management')) return
  throw new GraphError(200, {
    message: '(#200) Requires business_management permission to manage the object',
    status: 403,
  })
}

function pageList(c: Context, sandbox: SandboxContext, who: Caller, params: Params, pages: FacebookPage[]): Response {
  const answer = pageOf(c, sandbox, who.value, params, pages, (one) =>
    project(
      pageNode(sandbox, who, one),
      params.text('fields'),
      ['access_token', 'category', 'name', 'id', 'tasks'],
      'Page',
    ),
  )
  usageHeaders(c, '')
  return c.json(answer)
}

function drop(sandbox: SandboxContext, appId: string, userId: string, name: string | undefined): void {
  if (name === undefined) return revokeGrants(sandbox, appId, userId)
  for (const grant of Object.values(facebook(sandbox).grants)) {
    if (grant.appId !== appId || grant.userId !== userId || !grant.scopes.includes(name)) continue
    grant.scopes = grant.scopes.filter((scope) => scope !== name)
    grant.declined = [...grant.declined, name]
  }
}

/** Throws 100/33 unless `id` is the person behind this user token. */
function person(sandbox: SandboxContext, who: Caller, id: string | undefined, verb: 'get' | 'delete'): void {
  if (who.token.kind !== 'user' || (id !== 'me' && id !== who.grant.userId)) throw missingObject(verb, id ?? '')
  assertAlive(sandbox, who.token, who.grant)
}

/** A page as this caller sees it; only a user token that may list pages gets its page token. */
export function pageNode(sandbox: SandboxContext, who: Caller, one: FacebookPage): GraphNode {
  const own = who.token.kind === 'page' ? who.value : pageToken(sandbox, who.grant, who.token, one.id)
  return {
    id: one.id,
    name: one.name,
    username: one.username,
    access_token: own,
    category: one.category,
    category_list: [{ id: '2604', name: one.category }],
    tasks: [...one.tasks],
    link: `${siteOf('facebook')}/${one.username}`,
    picture: {
      data: {
        url: portraitOf(sandbox, one.name),
        height: 200,
        width: 200,
        is_silhouette: false,
      },
    },
    instagram_business_account: undefined,
    fan_count: 0,
    followers_count: 0,
    is_published: true,
    verification_status: 'not_verified',
  }
}

/** The person behind a token, as `/me` answers. */
export function personNode(sandbox: SandboxContext, who: Caller, fields: string | undefined): GraphNode {
  const user = facebook(sandbox).users[who.grant.userId]
  if (!user) throw missingObject('get', 'me')
  const mail = who.grant.scopes.includes('email') ? user.email : undefined
  const [first = '', ...rest] = user.name.split(' ')
  const node: GraphNode = {
    id: user.id,
    name: user.name,
    first_name: first,
    last_name: rest.join(' '),
    email: mail,
    picture: {
      data: {
        url: portraitOf(sandbox, user.name),
        height: 50,
        width: 50,
        is_silhouette: false,
      },
    },
    accounts: undefined,
    permissions: undefined,
  }
  // Nested edges on /me are not supported here; they must not read as "no pages".
  if (fields && [...parseFields(fields).keys()].some((name) => name === 'accounts' || name === 'permissions')) {
    throw new GraphError(100, { message: '(#100) Read this edge at /me/accounts or /me/permissions here' })
  }
  return project(node, fields, ['name', 'id'], 'User')
}
