import { versionsInUse } from '../../../core/api-versions.ts'
import { connectionOf, type ConnectSteps, type NetworkContext, type PageProfile, type Tokens } from '../adapter.ts'
import { record, textOf, tokensOf, refreshTokenOf, permissionDeclined } from '../refusal.ts'

const scopes = ['user.info.basic', 'user.info.profile', 'video.publish', 'video.list']

/** A refresh consumes its token even if our timeout is over, so this call waits longest (docs/networks/tiktok.md). */
const refreshTimeoutMs = 60_000

/** TikTok Login Kit: short-lived access tokens and a refresh token that rotates with each use. */
export function tiktokConnect(context: NetworkContext<'tiktok'>): ConnectSteps {
  const { config, http } = context
  const { hosts } = config

  const fetchTokens = async (
    form: Record<string, string>,
    now: Date,
    timeoutMs?: number,
  ): Promise<{ openId: string; tokens: Tokens }> => {
    const { body } = await http.call({
      method: 'POST',
      url: `${hosts.api}/${versionsInUse.tiktok}/oauth/token/`,
      form: { client_key: config.clientId, client_secret: config.clientSecret, ...form },
      timeoutMs,
    })
    return { openId: textOf(body['open_id']), tokens: tokensOf(body, now, 'refresh_expires_in') }
  }
  const readUser = async ({ accessToken, scopes: granted }: Pick<Tokens, 'accessToken' | 'scopes'>) => {
    // TikTok refuses the whole call if a field lacks its scope.
    const hasProfileScope = granted.split(',').includes('user.info.profile')
    const { body } = await http.call({
      method: 'GET',
      url: `${hosts.api}/${versionsInUse.tiktok}/user/info/`,
      query: { fields: `open_id,display_name,avatar_url${hasProfileScope ? ',username' : ''}` },
      as: { accessToken },
    })
    return record(record(body['data'])?.['user']) ?? {}
  }

  return {
    authorizeUrl({ state, redirectUri }) {
      const query = new URLSearchParams({
        client_key: config.clientId,
        scope: scopes.join(','),
        response_type: 'code',
        redirect_uri: redirectUri,
        state,
      })
      return `${hosts.www}/${versionsInUse.tiktok}/auth/authorize/?${query.toString()}`
    },

    async exchange({ code, redirectUri, now }) {
      const { openId, tokens } = await fetchTokens(
        { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
        now,
      )
      if (!tokens.scopes.split(',').includes('video.publish')) {
        throw permissionDeclined('tiktok', 'allow everything')
      }
      const user = await readUser(tokens)
      return connectionOf(tokens, [profileOf(user, openId)])
    },

    async refresh(tokens, now) {
      const { tokens: fresh } = await fetchTokens(
        { grant_type: 'refresh_token', refresh_token: refreshTokenOf('tiktok', tokens) },
        now,
        refreshTimeoutMs,
      )
      return fresh
    },

    async profiles({ tokens, pages }) {
      const user = await readUser(tokens)
      return pages.map(({ pageId }) => profileOf(user, pageId))
    },

    async revoke({ tokens }) {
      await http.call({
        method: 'POST',
        url: `${hosts.api}/${versionsInUse.tiktok}/oauth/revoke/`,
        form: { client_key: config.clientId, client_secret: config.clientSecret, token: tokens.accessToken },
      })
    },
  }
}

function profileOf(user: Record<string, unknown>, openId: string): PageProfile {
  const username = textOf(user['username']) || null
  return {
    pageId: openId,
    name: textOf(user['display_name']) || username || openId,
    username,
    picture: textOf(user['avatar_url']) || null,
  }
}
