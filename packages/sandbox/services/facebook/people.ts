import { siteOf } from '../../post-link.ts'
import { portraitOf } from '../../feed-files.ts'
import type { SandboxContext } from '../../context.ts'
import { type GraphNode, pageOf, project } from '../meta/fields.ts'
import { type GraphCall, graphCalls } from '../meta/graph-host.ts'
import { GraphError, missingObject } from '../meta/graph.ts'
import { assertAlive, caller, type Caller, revokeGrants, pageUsage } from './access.ts'
import { pageToken } from './oauth.ts'
import { facebook, type FacebookBusiness, type FacebookPage } from './state.ts'

/** `/{user}/accounts`, businesses and their pages, `/{user}/permissions` and its DELETE (docs/networks/facebook.md). */
export const facebookPeople = graphCalls(caller, {
  'GET /:id/accounts': (call) => {
    const { c, sandbox, id, who } = call
    person(sandbox, who, id, 'get')
    if (!who.grant.scopes.includes('pages_show_list')) return c.json({ data: [] })
    return pageList(call, who.grant.pages)
  },

  'GET /:id/businesses': ({ c, sandbox, params, id: userId, who }) => {
    person(sandbox, who, userId, 'get')
    needBusiness(who)
    const mine = Object.values(facebook(sandbox).businesses).filter((one) => one.userId === who.grant.userId)
    return c.json({
      data: mine.map(({ id, name }) => project({ id, name }, params.text('fields'), ['id', 'name'], 'Business')),
    })
  },
  'GET /:id/owned_pages': (call) => pageList(call, ownBusiness(call).pages),
  'GET /:id/client_pages': (call) => {
    ownBusiness(call)
    return pageList(call, [])
  },

  'GET /:id/permissions': ({ c, sandbox, id, who }) => {
    person(sandbox, who, id, 'get')
    const granted = who.grant.scopes.map((permission) => ({ permission, status: 'granted' }))
    return c.json({
      data: [...granted, ...who.grant.declined.map((permission) => ({ permission, status: 'declined' }))],
    })
  },
})

/** Revokes by the person's own token, or by the app's id and secret. */
export const facebookPermissions = graphCalls(() => null, {
  'DELETE /:id/permissions': revoke,
  'DELETE /:id/permissions/:name': revoke,
})

function revoke({ c, sandbox, params, id }: GraphCall<null>): Response {
  const state = facebook(sandbox)
  const name = c.req.param('name')
  const [appId = '', secret] = (params.text('access_token') ?? '').split('|')
  if (secret === undefined) {
    const who = caller(c, sandbox, params)
    person(sandbox, who, id, 'delete')
    removePermission(sandbox, who.grant.appId, who.grant.userId, name)
  } else {
    if (!state.apps[appId] || state.apps[appId]?.secret !== secret)
      throw new GraphError(190, { message: 'Invalid OAuth access token signature.' })
    if (!state.users[id]) throw missingObject('delete', id)
    removePermission(sandbox, appId, id, name)
  }
  return c.json({ success: true })
}

function ownBusiness({ sandbox, id, who }: GraphCall<Caller>): FacebookBusiness {
  needBusiness(who)
  const business = facebook(sandbox).businesses[id]
  if (!business || business.userId !== who.grant.userId || who.token.kind !== 'user') throw missingObject('get', id)
  return business
}

function needBusiness(who: Caller): void {
  if (who.grant.scopes.includes('business_management')) return
  throw new GraphError(200, {
    message: '(#200) Requires business_management permission to manage the object',
    status: 403,
  })
}

function pageList({ c, sandbox, params, who }: GraphCall<Caller>, ids: readonly string[]): Response {
  const pages = ids.flatMap((id) => facebook(sandbox).pages[id] ?? [])
  const standard = ['access_token', 'category', 'name', 'id', 'tasks']
  const answer = pageOf(c, sandbox, who.value, params, pages, (one) =>
    project(pageNode(sandbox, who, one), params.text('fields'), standard, 'Page'),
  )
  pageUsage(c, '')
  return c.json(answer)
}

function removePermission(sandbox: SandboxContext, appId: string, userId: string, name: string | undefined): void {
  if (name === undefined) return revokeGrants(sandbox, appId, userId)
  for (const grant of Object.values(facebook(sandbox).grants)) {
    if (grant.appId !== appId || grant.userId !== userId || !grant.scopes.includes(name)) continue
    grant.scopes = grant.scopes.filter((scope) => scope !== name)
    grant.declined = [...grant.declined, name]
  }
}

/** Throws 100/33 unless `id` is the person behind this user token. */
function person(sandbox: SandboxContext, who: Caller, id: string, verb: 'get' | 'delete'): void {
  if (who.token.kind !== 'user' || (id !== 'me' && id !== who.grant.userId)) throw missingObject(verb, id)
  assertAlive(sandbox, who.token, who.grant)
}

function pictureOf(sandbox: SandboxContext, name: string, side: number): GraphNode {
  return { data: { url: portraitOf(sandbox, name), height: side, width: side, is_silhouette: false } }
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
    picture: pictureOf(sandbox, one.name, 200),
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
    picture: pictureOf(sandbox, user.name, 50),
  }
  return project(node, fields, ['name', 'id'], 'User')
}
