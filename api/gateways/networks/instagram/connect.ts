import { connectionOf, NetworkError, type ConnectSteps, type NetworkContext, type PageProfile } from '../adapter.ts'
import { permissionDeclined, record, textOf, textsOf, tokensOf } from '../refusal.ts'

const scopes = ['instagram_business_basic', 'instagram_business_content_publish']
const professionalTypes = ['BUSINESS', 'MEDIA_CREATOR']

/** Instagram Login: one professional account per consent, a token of 60 days that renews (docs/networks/instagram.md). */
export function instagramConnect(context: NetworkContext<'instagram'>): ConnectSteps {
  const { config, http, versions } = context
  const { hosts } = config

  const readMe = async (accessToken: string) => {
    const { body } = await http.call({
      method: 'GET',
      url: `${hosts.graph}/${versions.metaGraph}/me`,
      query: { fields: 'id,user_id,username,name,account_type,profile_picture_url' },
      as: { accessToken },
    })
    return body
  }

  return {
    authorizeUrl({ state, redirectUri }) {
      const query = new URLSearchParams({
        client_id: config.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: scopes.join(','),
        state,
        enable_fb_login: '0',
      })
      return `${hosts.www}/oauth/authorize?${query.toString()}`
    },

    async exchange({ code, redirectUri, now }) {
      const { body } = await http.call({
        method: 'POST',
        url: `${hosts.api}/oauth/access_token`,
        form: {
          client_id: config.clientId,
          client_secret: config.clientSecret,
          grant_type: 'authorization_code',
          redirect_uri: redirectUri,
          // Instagram appends an empty fragment, which some clients keep.
          code: code.replace(/#_$/, ''),
        },
      })
      // Documented as a `data` list, but also observed as a flat object.
      const data = body['data']
      const short = record(Array.isArray(data) ? data[0] : body)
      const permissions = short?.['permissions']
      const granted = textsOf(permissions).join(',') || textOf(permissions)
      if (granted && !granted.split(',').includes('instagram_business_content_publish')) {
        throw permissionDeclined('instagram', 'allow everything')
      }
      const long = await http.call({
        method: 'GET',
        url: `${hosts.graph}/access_token`,
        query: {
          grant_type: 'ig_exchange_token',
          client_secret: config.clientSecret,
          access_token: textOf(short?.['access_token']),
        },
      })
      const tokens = { ...tokensOf(long.body, now), scopes: granted }
      const account = await readMe(tokens.accessToken)
      if (!professionalTypes.includes(textOf(account['account_type']))) {
        const message =
          'This is a personal Instagram account. Switch it to Business or Creator at Instagram, wait 24 hours, then connect again.'
        throw new NetworkError('permanent', 'personal_account', message)
      }
      // Read here as text: in the token's answer the same id may be a number beyond JSON's precision.
      return { ...connectionOf(tokens, [profileOf(account)]), appUserId: textOf(account['id']) || undefined }
    },

    async refresh(tokens, now) {
      const { body } = await http.call({
        method: 'GET',
        url: `${hosts.graph}/refresh_access_token`,
        query: { grant_type: 'ig_refresh_token', access_token: tokens.accessToken },
      })
      return { ...tokensOf(body, now), scopes: tokens.scopes }
    },

    async profiles({ tokens }) {
      return [profileOf(await readMe(tokens.accessToken))]
    },

    revoke: null,
  }
}

function profileOf(account: Record<string, unknown>): PageProfile {
  const pageId = textOf(account['user_id'])
  const username = textOf(account['username']) || null
  return {
    pageId,
    name: textOf(account['name']) || username || pageId,
    username,
    picture: textOf(account['profile_picture_url']) || null,
  }
}
