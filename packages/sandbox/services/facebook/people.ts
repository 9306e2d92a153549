import type { Context } from 'hono'
import { siteOf } from '../../post-link.ts'
import { portraitOf } from '../../feed-files.ts'
import type { SandboxContext } from '../../context.ts'
import { type GraphNode, pageOf, parseFields, project } from '../meta/fields.ts'
import { GraphError, missingObject, type Params, readParams } from '../meta/graph.ts'
import { caller, type Caller, revokeGrants, usageHeaders } from './access.ts'
import { pageToken } from './oauth.ts'
import { facebook, type FacebookPage } from './state.ts'

/** `GET /{user}/accounts` (docs/networks/facebook.md). */
export async function accounts(c: Context, sandbox: SandboxContext): Promise<Response> {
  const params = await readParams(c)
  const who = person(c, sandbox, params, 'get')
  if (!who.grant.scopes.includes('pages_show_list')) return c.json({ data: [] })
  return pageList(c, sandbox, who, params, who.grant.pages)
}

/** `GET /{user}/businesses`. */
export async function businesses(c: Context, sandbox: SandboxContext): Promise<Response> {
  const params = await readParams(c)
  const who = person(c, sandbox, params, 'get')
  needBusiness(who)
  const mine = Object.values(facebook(sandbox).businesses).filter((one) => one.userId === who.grant.userId)
  return c.json({
    data: mine.map(({ id, name }) => project({ id, name }, params.text('fields'), ['id', 'name'], 'Business')),
  })
}

/** `GET /{business}/owned_pages` and `client_pages`, of which there are none. */
export async function businessPages(c: Context, sandbox: SandboxContext): Promise<Response> {
  const params = await readParams(c)
  const who = caller(c, sandbox, params)
  needBusiness(who)
  const id = c.req.param('id') ?? ''
  const business = facebook(sandbox).businesses[id]
  if (!business || business.userId !== who.grant.userId || who.token.kind !== 'user') throw missingObject('get', id)
  return pageList(c, sandbox, who, params, c.req.param('edge') === 'owned_pages' ? business.pages : [])
}

/** `GET /{user}/permissions`. */
export async function permissions(c: Context, sandbox: SandboxContext): Promise<Response> {
  const { grant } = person(c, sandbox, await readParams(c), 'get')
  const as = (status: string) => (permission: string) => ({ permission, status })
  return c.json({ data: [...grant.scopes.map(as('granted')), ...grant.declined.map(as('declined'))] })
}

/** `DELETE /{user}/permissions`: the person's tokens at this app become invalid. */
export async function revokePermissions(c: Context, sandbox: SandboxContext): Promise<Response> {
  const { grant } = person(c, sandbox, await readParams(c), 'delete')
  revokeGrants(sandbox, grant.appId, grant.userId)
  return c.json({ success: true })
}

function needBusiness(who: Caller): void {
  if (who.grant.scopes.includes('business_management')) return
  throw new GraphError(200, {
    message: '(#200) Requires business_management permission to manage the object',
    status: 403,
  })
}

function pageList(c: Context, sandbox: SandboxContext, who: Caller, params: Params, ids: readonly string[]): Response {
  const pages = ids.flatMap((id) => facebook(sandbox).pages[id] ?? [])
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

/** The caller, with the token of the person whom the path names; throws 100/33 otherwise. */
function person(c: Context, sandbox: SandboxContext, params: Params, verb: 'get' | 'delete'): Caller {
  const who = caller(c, sandbox, params)
  const id = c.req.param('id') ?? ''
  if (who.token.kind !== 'user' || (id !== 'me' && id !== who.grant.userId)) throw missingObject(verb, id)
  return who
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
