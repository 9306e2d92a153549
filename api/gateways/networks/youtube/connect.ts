import { versionsInUse } from '../../../core/api-versions.ts'
import { connectionOf, type ConnectSteps, type NetworkContext, type PageProfile, type Tokens } from '../adapter.ts'
import { record, recordsOf, textOf, tokensOf, refreshTokenOf, permissionDeclined } from '../refusal.ts'

const uploadScope = 'https://www.googleapis.com/auth/youtube.upload'
const readScope = 'https://www.googleapis.com/auth/youtube.readonly'

/** Google's consent: an access token of an hour and a long-lived refresh token (docs/networks/youtube.md). */
export function youtubeConnect(context: NetworkContext<'youtube'>): ConnectSteps {
  const { config, http } = context
  const { hosts } = config

  const fetchTokens = async (form: Record<string, string | undefined>, now: Date): Promise<Tokens> => {
    const { body } = await http.call({
      method: 'POST',
      url: `${hosts.token}/token`,
      form: { client_id: config.clientId, client_secret: config.clientSecret, ...form },
    })
    // A refresh returns no refresh token, and a second consent may return none either. The stored one stays valid.
    return tokensOf(body, now)
  }
  const listChannels = async (accessToken: string): Promise<Record<string, unknown>[]> => {
    const { body } = await http.call({
      method: 'GET',
      url: `${hosts.api}/youtube/${versionsInUse.youtube}/channels`,
      query: { part: 'snippet,contentDetails,status', mine: 'true' },
      as: { accessToken },
    })
    return recordsOf(body['items'])
  }

  return {
    usesPkce: true,

    authorizeUrl({ state, redirectUri, codeChallenge }) {
      const query = new URLSearchParams({
        client_id: config.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: `${uploadScope} ${readScope}`,
        state,
        access_type: 'offline',
        // Otherwise a second consent would return no refresh token.
        prompt: 'consent',
        include_granted_scopes: 'true',
        ...(codeChallenge === null ? {} : { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
      })
      return `${hosts.accounts}/o/oauth2/v2/auth?${query.toString()}`
    },

    async exchange({ code, redirectUri, codeVerifier, now }) {
      const tokens = await fetchTokens(
        {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: codeVerifier ?? undefined,
        },
        now,
      )
      const granted = tokens.scopes.split(' ')
      if (!granted.includes(uploadScope) || !granted.includes(readScope)) {
        throw permissionDeclined('youtube', 'leave every box ticked')
      }
      return connectionOf(tokens, (await listChannels(tokens.accessToken)).map(profileOf))
    },

    async refresh(tokens, now) {
      const refreshToken = refreshTokenOf('youtube', tokens)
      const fresh = await fetchTokens({ grant_type: 'refresh_token', refresh_token: refreshToken }, now)
      return { ...fresh, scopes: fresh.scopes || tokens.scopes }
    },

    async profiles({ tokens }) {
      return (await listChannels(tokens.accessToken)).map(profileOf)
    },

    /** Revokes every grant of this person to our project, so the caller decides whether other accounts need one. */
    async revoke({ tokens }) {
      await http.call({
        method: 'POST',
        url: `${hosts.token}/revoke`,
        form: { token: tokens.refreshToken ?? tokens.accessToken },
      })
    },
  }
}

function profileOf(channel: Record<string, unknown>): PageProfile {
  const snippet = record(channel['snippet'])
  const pageId = textOf(channel['id'])
  const thumbnails = record(snippet?.['thumbnails'])
  const picture = record(thumbnails?.['medium'] ?? thumbnails?.['default'])
  return {
    pageId,
    name: textOf(snippet?.['title']) || pageId,
    username: textOf(snippet?.['customUrl']) || null,
    picture: textOf(picture?.['url']) || null,
  }
}
