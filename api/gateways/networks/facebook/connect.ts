import {
  NetworkError,
  type ConnectSteps,
  type NetworkContext,
  type PageProfile,
  type RemotePage,
  type Tokens,
} from '../adapter.ts'
import { permissionDeclined, record, recordsOf, textOf, textsOf, tokensOf } from '../refusal.ts'

const scopes = ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts', 'business_management']
/** Without these nothing can be posted; the others only make more pages visible (docs/networks/facebook.md). */
const neededScopes = scopes.slice(0, 3)
const profileFields = 'id,name,username,picture.type(large)'
const pageFields = `${profileFields},access_token,tasks`
const maxListPages = 20

/** Facebook Login: a long-lived user token, which yields page tokens without an expiry date. */
export function facebookConnect(context: NetworkContext<'facebook'>): ConnectSteps {
  const { config, http, versions } = context
  const graph = `${config.hosts.graph}/${versions.metaGraph}`
  const app = { client_id: config.clientId, client_secret: config.clientSecret }

  const fetchTokens = async (query: Record<string, string>, now: Date): Promise<Tokens> => {
    const { body } = await http.call({ method: 'GET', url: `${graph}/oauth/access_token`, query: { ...app, ...query } })
    return tokensOf(body, now)
  }

  /** The person or page of a token. */
  const readMe = async (fields: string, accessToken: string): Promise<Record<string, unknown>> => {
    const { body } = await http.call({ method: 'GET', url: `${graph}/me`, query: { fields }, as: { accessToken } })
    return body
  }

  /** All entries of a list, following `paging.next`, which the client's host check must allow. */
  const list = async (url: string, query: Record<string, string>, as: Tokens): Promise<Record<string, unknown>[]> => {
    const entries: Record<string, unknown>[] = []
    let next: string | undefined = url
    for (let page = 0; next && page < maxListPages; page++) {
      const { body } = await http.call({ method: 'GET', url: next, as, ...(page === 0 ? { query } : {}) })
      entries.push(...recordsOf(body['data']))
      next = textOf(record(body['paging'])?.['next']) || undefined
    }
    return entries
  }

  /** Pages owned through a Business Manager are missing from `/me/accounts`. */
  const businessPages = async (tokens: Tokens): Promise<Record<string, unknown>[]> => {
    try {
      const pages: Record<string, unknown>[] = []
      for (const business of await list(`${graph}/me/businesses`, { fields: 'id', limit: '100' }, tokens)) {
        for (const edge of ['owned_pages', 'client_pages']) {
          pages.push(
            ...(await list(`${graph}/${textOf(business['id'])}/${edge}`, { fields: pageFields, limit: '100' }, tokens)),
          )
        }
      }
      return pages
    } catch (error) {
      // A person without a business still has the pages of `/me/accounts`.
      if (error instanceof NetworkError && (error.class === 'permanent' || error.class === 'reconnect')) return []
      throw error
    }
  }

  return {
    authorizeUrl({ state, redirectUri }) {
      // `rerequest` asks again for a permission that was declined before.
      const query = new URLSearchParams({
        client_id: config.clientId,
        redirect_uri: redirectUri,
        state,
        response_type: 'code',
        scope: scopes.join(','),
        auth_type: 'rerequest',
      })
      return `${config.hosts.dialog}/${versions.metaGraph}/dialog/oauth?${query.toString()}`
    },

    async exchange({ code, redirectUri, now }) {
      const short = await fetchTokens({ redirect_uri: redirectUri, code }, now)
      const exchange = { grant_type: 'fb_exchange_token', fb_exchange_token: short.accessToken }
      const long = await fetchTokens(exchange, now)
      const me = await readMe('id,name', long.accessToken)
      const granted = (await list(`${graph}/me/permissions`, {}, long))
        .filter((entry) => entry['status'] === 'granted')
        .map((entry) => textOf(entry['permission']))
      if (neededScopes.some((scope) => !granted.includes(scope))) {
        throw permissionDeclined('facebook', 'leave every box ticked')
      }
      const remote = await list(`${graph}/me/accounts`, { fields: pageFields, limit: '100' }, long)
      if (granted.includes('business_management')) remote.push(...(await businessPages(long)))
      return {
        providerUserId: textOf(me['id']),
        providerName: textOf(me['name']),
        username: null,
        tokens: { ...long, scopes: granted.join(',') },
        pages: postable(remote),
      }
    },

    refresh: null,

    async check({ tokens, pages }) {
      // Page tokens outlive the user token, and only they publish.
      const pageTokens = pages.flatMap((page) => page.accessToken ?? [])
      for (const accessToken of pageTokens.length > 0 ? pageTokens : [tokens.accessToken]) {
        await readMe('id', accessToken)
      }
    },

    async profiles({ pages }) {
      const profiles: PageProfile[] = []
      for (const { accessToken } of pages) {
        const entry = accessToken ? await readMe(profileFields, accessToken) : undefined
        if (entry) profiles.push(profileOf(entry))
      }
      return profiles
    },

    /** By the app's own token, because the person's expires after 60 days and those of the pages never do. */
    async revoke({ providerUserId }) {
      await http.call({
        method: 'DELETE',
        url: `${graph}/${encodeURIComponent(providerUserId)}/permissions`,
        query: { access_token: `${config.clientId}|${config.clientSecret}` },
      })
    },
  }
}

/** Pages the artist may post to: with a token of their own and the task CREATE_CONTENT, without duplicates. */
function postable(remote: readonly Record<string, unknown>[]): RemotePage[] {
  const pages = new Map<string, RemotePage>()
  for (const entry of remote) {
    const pageId = textOf(entry['id'])
    const accessToken = textOf(entry['access_token'])
    if (!pageId || !accessToken || !textsOf(entry['tasks']).includes('CREATE_CONTENT')) continue
    pages.set(pageId, { ...profileOf(entry), accessToken })
  }
  return [...pages.values()]
}

function profileOf(entry: Record<string, unknown>): PageProfile {
  const picture = record(record(entry['picture'])?.['data'])
  return {
    pageId: textOf(entry['id']),
    name: textOf(entry['name']),
    username: textOf(entry['username']) || null,
    // Facebook shows a silhouette for a page without a picture.
    picture: picture?.['is_silhouette'] === true ? null : textOf(picture?.['url']) || null,
  }
}
