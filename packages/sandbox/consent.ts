import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import { page } from './page.ts'
import type { Identity } from './context.ts'

export type ConsentRequest = {
  /** The network's display name: Facebook, TikTok … */
  network: string
  /** The app's name or its client id. */
  app: string
  scopes: readonly string[]
  identities: readonly Identity[]
  /** True: the person also picks which of the identity's pages the app gets, as at Facebook. LinkedIn grants all. */
  picksPages?: boolean
}

export type Approval = { identity: Identity; pageIds: string[] }

/**
 * Asks a person for their consent: the consent page while there is no decision; after an approval the redirect with what
 * `grant` returns in its query, after a denial that with `denial`, both with the app's `state`. Mount the route for GET
 * and POST, since the page posts to its own address. `?auto=approve|deny` decides without a click, for the first identity
 * (or `&as=<id>`) with all its pages (or `&pages=a,b`). An unknown `as` shows the consent page.
 */
export async function askConsent(
  c: Context,
  request: ConsentRequest,
  redirectUri: string,
  denial: Record<string, string>,
  grant: (approval: Approval) => Record<string, string | undefined>,
  fragment = '',
): Promise<Response> {
  const state = c.req.query('state')
  const auto = c.req.query('auto')
  const form = c.req.method === 'POST' ? await c.req.parseBody({ all: true }) : {}
  const decision = auto ?? form['decision']
  if (decision === 'deny') return c.redirect(backTo(redirectUri, { ...denial, state }))
  const as = c.req.query('as') ?? form['as']
  const identity = as === undefined ? request.identities[0] : request.identities.find((one) => one.id === as)
  if (decision !== 'approve' || !identity) return consentPage(c, request)
  const all = identity.pages.map((one) => one.id)
  const picked = auto
    ? c.req.query('pages')?.split(',')
    : request.picksPages
      ? [form['page'] ?? []].flat().map(String)
      : undefined
  const pageIds = picked ? all.filter((id) => picked.includes(id)) : all
  return c.redirect(`${backTo(redirectUri, { ...grant({ identity, pageIds }), state })}${fragment}`)
}

/** The consent page: pick an identity and its pages, approve or deny. */
function consentPage(c: Context, request: ConsentRequest): Response | Promise<Response> {
  return page(
    c,
    { title: `Allow ${request.app}?`, service: request.network },
    html`<h1>Allow <b>${request.app}</b> to use your ${request.network} account?</h1>
      <p class="muted">Nobody real is asked and nothing leaves this machine. Pick who you are here.</p>
      <form method="post">
        <fieldset>
          <legend>Continue as</legend>
          <ul class="rows">
            ${request.identities.map(
              (one, index) =>
                html`<li>
                  <label>
                    <input type="radio" name="as" value="${one.id}" ${index === 0 ? 'checked' : ''} />
                    <span class="grow">${one.name}${userName(one)}</span>
                  </label>
                </li>`,
            )}
          </ul>
        </fieldset>
        ${request.picksPages ? request.identities.map((one, index) => pageList(one, index)) : ''}
        <details><summary>${request.scopes.length} permissions</summary><ul>${request.scopes.map((scope) => html`<li>${scope}</li>`)}</ul></details>
        <div class="actions">
          <button class="main" name="decision" value="approve">Approve</button>
          <button name="decision" value="deny">Deny</button>
        </div>
      </form>`,
  )
}

function userName(identity: Identity) {
  const name = identity.username ? `@${identity.username}` : identity.email
  return name ? html`<br /><span class="muted">${name}</span>` : ''
}

/** The pages of one identity, visible while that identity is picked. */
function pageList(identity: Identity, index: number) {
  const visibility = `form:not(:has(li:nth-child(${index + 1}) > label > input[name='as']:checked)) fieldset.pages-${index} { display: none; }`
  return html`<style>
      ${raw(visibility)}
    </style>
    <fieldset class="pages-${index}">
      <legend>Pages of ${identity.name}</legend>
      <ul class="rows">
        ${identity.pages.map(
          (one) =>
            html`<li><label><input type="checkbox" name="page" value="${one.id}" checked /> ${one.name}</label></li>`,
        )}
      </ul>
    </fieldset>`
}

/** The redirect back to the app: `redirectUri`, which `redirectAllowed` has accepted, with `params` added to its query. */
export function backTo(redirectUri: string, params: Record<string, string | undefined>): string {
  const url = new URL(redirectUri)
  for (const [key, value] of Object.entries(params)) if (value !== undefined) url.searchParams.set(key, value)
  return url.href
}

/**
 * Whether an address may be a redirect of an OAuth client: absolute, https (http on loopback only), no fragment.
 * Source: the networks' redirect rules (docs/networks/facebook.md, docs/networks/tiktok.md).
 */
export function redirectAllowed(address: string | undefined): address is string {
  if (!address || !URL.canParse(address) || address.includes('#')) return false
  const { protocol, hostname } = new URL(address)
  const here = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
  return protocol === 'https:' || (protocol === 'http:' && here)
}
