import { type ConnectSteps, type NetworkContext, type PageProfile, type Tokens } from '../adapter.ts'
import { record, recordsOf, textOf, tokensOf, refreshTokenOf } from '../refusal.ts'
import { linkedinCalls } from './calls.ts'

const scopes = ['w_organization_social', 'r_organization_social', 'rw_organization_admin']
/** Roles that may post; their names differ by source (docs/networks/linkedin.md). */
const postingRoles = ['ADMINISTRATOR', 'CONTENT_ADMIN', 'CONTENT_ADMINISTRATOR']
const listPageSize = 100
const maxListPages = 10
const detailsBatchSize = 50

/** LinkedIn pages: a token of 60 days, and a refresh token only for approved partners. */
export function linkedinConnect(context: NetworkContext<'linkedin'>): ConnectSteps {
  const { config, http } = context
  const { hosts } = config
  const { call } = linkedinCalls(context)
  const client = { client_id: config.clientId, client_secret: config.clientSecret }

  const fetchTokens = async (form: Record<string, string>, now: Date): Promise<Tokens> => {
    const { body } = await http.call({
      method: 'POST',
      url: `${hosts.www}/oauth/v2/accessToken`,
      form: { ...client, ...form },
    })
    return tokensOf(body, now, 'refresh_token_expires_in')
  }

  /** Organizations the member may post for, and the member's own id, which only this list has. */
  const readRoles = async (accessToken: string): Promise<{ memberId: string; organizationIds: string[] }> => {
    const organizationIds = new Set<string>()
    let memberId = ''
    for (let page = 0; page < maxListPages; page++) {
      const { body } = await call({ accessToken }, '/organizationAcls', {
        method: 'GET',
        query: {
          q: 'roleAssignee',
          state: 'APPROVED',
          start: String(page * listPageSize),
          count: String(listPageSize),
        },
        headers: { 'x-restli-method': 'FINDER' },
      })
      const entries = recordsOf(body['elements'])
      for (const entry of entries) {
        memberId ||= lastOfUrn(entry['roleAssignee'])
        const organization = lastOfUrn(entry['organization'] ?? entry['organizationTarget'])
        if (organization && postingRoles.includes(textOf(entry['role']))) organizationIds.add(organization)
      }
      if (entries.length < listPageSize) break
    }
    return { memberId, organizationIds: [...organizationIds] }
  }

  const readBatch = async (accessToken: string, ids: readonly string[]): Promise<PageProfile[]> => {
    if (ids.length === 0) return []
    // Rest.li needs the brackets of List(…) unencoded, so it cannot be one of our query parameters.
    const { body } = await call({ accessToken }, `/organizations?ids=List(${ids.join(',')})`, {
      method: 'GET',
      headers: { 'x-restli-method': 'BATCH_GET' },
    })
    const results = record(body['results']) ?? {}
    return ids.map((pageId) => {
      const organization = record(results[pageId])
      return {
        pageId,
        name: textOf(organization?.['localizedName']) || pageId,
        username: textOf(organization?.['vanityName']) || null,
        picture: logoOf(organization),
      }
    })
  }

  const readProfiles = async (accessToken: string, ids: readonly string[]): Promise<PageProfile[]> => {
    const profiles: PageProfile[] = []
    for (let at = 0; at < ids.length; at += detailsBatchSize)
      profiles.push(...(await readBatch(accessToken, ids.slice(at, at + detailsBatchSize))))
    return profiles
  }

  return {
    authorizeUrl({ state, redirectUri }) {
      const url = new URL(`${hosts.www}/oauth/v2/authorization`)
      const query = {
        response_type: 'code',
        client_id: config.clientId,
        redirect_uri: redirectUri,
        state,
        scope: scopes.join(' '),
      }
      // LinkedIn separates its scopes by %20.
      url.search = new URLSearchParams(query).toString().replaceAll('+', '%20')
      return url.href
    },

    async exchange({ code, redirectUri, now }) {
      const tokens = await fetchTokens({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }, now)
      const { memberId, organizationIds } = await readRoles(tokens.accessToken)
      const profiles = await readProfiles(tokens.accessToken, organizationIds)
      const pages = profiles.map((profile) => ({ ...profile, accessToken: null }))
      // The Community Management product does not reveal the person's name.
      return { providerUserId: memberId, providerName: 'LinkedIn member', username: null, tokens, pages }
    },

    async refresh(tokens, now) {
      const refreshToken = refreshTokenOf('linkedin', tokens)
      const fresh = await fetchTokens({ grant_type: 'refresh_token', refresh_token: refreshToken }, now)
      // The refresh token ends when it did before. The answer repeats that in seconds from now, which would seem a new end.
      return {
        ...fresh,
        refreshExpiresAt: tokens.refreshExpiresAt ?? fresh.refreshExpiresAt,
        scopes: fresh.scopes || tokens.scopes,
      }
    },

    async check({ tokens }) {
      await readRoles(tokens.accessToken)
    },

    async profiles({ tokens, pages }) {
      return await readProfiles(
        tokens.accessToken,
        pages.map(({ pageId }) => pageId),
      )
    },

    async pictureAddress(tokens, picture) {
      const { body } = await call(tokens, `/images/${encodeURIComponent(picture)}`, { method: 'GET' })
      return textOf(body['downloadUrl']) || null
    },

    async revoke({ tokens }) {
      await http.call({
        method: 'POST',
        url: `${hosts.www}/oauth/v2/revoke`,
        form: { ...client, token: tokens.accessToken },
      })
    },
  }
}

/** `urn:li:organization:123` → `123`. */
function lastOfUrn(urn: unknown): string {
  return textOf(urn).split(':').at(-1) ?? ''
}

/** The logo, which is named by an id; the images API knows it by the same id under another prefix. */
function logoOf(organization: Record<string, unknown> | undefined): string | null {
  const logo = record(organization?.['logoV2'])
  const id = lastOfUrn(logo?.['cropped'] ?? logo?.['original'])
  return id ? `urn:li:image:${id}` : null
}
