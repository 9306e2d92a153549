import { type Context, Hono } from 'hono'
import type { SandboxContext } from '../../context.ts'
import { allowed, denied, rawQuery, refuse } from './answers.ts'
import { type Organization, linkedinState, logoId, organizationsOf } from './state.ts'

const readers = ['rw_organization_admin', 'r_organization_admin']

function acls(c: Context, sandbox: SandboxContext): Response {
  const grant = allowed(c, sandbox, readers, 'organizationAcls.FINDER-roleAssignee')
  const { q, role, state: requestedState } = c.req.query()
  const [start, count] = [Number(c.req.query('start') ?? 0), Number(c.req.query('count') ?? 10)]
  if (q !== 'roleAssignee' || !(start >= 0) || !(count >= 1 && count <= 100)) {
    throw refuse(400, 'ILLEGAL_ARGUMENT', 'Invalid query parameters passed to request')
  }
  const mine = organizationsOf(linkedinState(sandbox), grant.member)
    .map((one) => ({
      organization: `urn:li:organization:${one.id}`,
      role: one.roles[grant.member] ?? '',
      roleAssignee: `urn:li:person:${grant.member}`,
      state: 'APPROVED',
    }))
    .filter((one) => (!role || one.role === role) && (!requestedState || one.state === requestedState))
  const query = `q=roleAssignee${requestedState ? `&state=${requestedState}` : ''}&count=${count}`
  const link = (rel: string, at: number) => ({
    rel,
    type: 'application/json',
    href: `/rest/organizationAcls?${query}&start=${at}`,
  })
  const links = start + count < mine.length ? [link('next', start + count)] : []
  return c.json({ paging: { start, count, links, total: mine.length }, elements: mine.slice(start, start + count) })
}

function details(one: Organization) {
  return {
    id: Number(one.id),
    localizedName: one.name,
    name: { localized: { en_US: one.name }, preferredLocale: { language: 'en', country: 'US' } },
    vanityName: one.vanity,
    primaryOrganizationType: 'NONE',
    logoV2: { cropped: `urn:li:digitalmediaAsset:${logoId(one)}`, original: `urn:li:digitalmediaAsset:${logoId(one)}` },
  }
}

function single(c: Context, sandbox: SandboxContext): Response {
  const grant = allowed(c, sandbox, readers, 'organizations.GET')
  const one = linkedinState(sandbox).organizations[c.req.param('id') ?? '']
  if (!one) throw refuse(404, 'NOT_FOUND', 'Could not find entity')
  if (!one.roles[grant.member]) throw denied(c, 'organizations.GET')
  return c.json(details(one))
}

function batch(c: Context, sandbox: SandboxContext): Response {
  const grant = allowed(c, sandbox, readers, 'organizations.BATCH_GET')
  // Rest.li 2.0 reads List(…) only unencoded: encoded brackets are part of a value (docs/networks/linkedin.md).
  const ids = /^List\(([\d,]+)\)$/.exec(rawQuery(c, 'ids') ?? '')?.[1]?.split(',')
  if (!ids || c.req.header('x-restli-protocol-version') !== '2.0.0') {
    throw refuse(400, 'ILLEGAL_ARGUMENT', 'Invalid query parameters passed to request')
  }
  const state = linkedinState(sandbox)
  const known = ids.filter((id) => state.organizations[id]?.roles[grant.member])
  const unknown = ids.filter((id) => !known.includes(id))
  return c.json({
    results: Object.fromEntries(
      known.flatMap((id) => (state.organizations[id] ? [[id, details(state.organizations[id])]] : [])),
    ),
    statuses: Object.fromEntries(known.map((id) => [id, 200])),
    errors: Object.fromEntries(
      unknown.map((id) => [id, { status: state.organizations[id] ? 403 : 404, message: 'Could not be read' }]),
    ),
  })
}

/** Role lookups and the pages' details. */
export function organizationRoutes(sandbox: SandboxContext): Hono {
  const routes = new Hono()
  routes.get('/organizationAcls', (c) => acls(c, sandbox))
  routes.get('/organizations', (c) => batch(c, sandbox))
  routes.get('/organizations/:id', (c) => single(c, sandbox))
  return routes
}
