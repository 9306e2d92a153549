import type { NetworkFixture } from '../network-fixture.ts'

export const app = { id: '770011223344', secret: 'sandbox-app-secret' }
export const back = 'https://artist.example/api/social-connect/facebook/callback'
export const scopes = 'pages_show_list,pages_read_engagement,pages_manage_posts'
export const graph = 'graph.facebook.com/v26.0'

export type FacebookLogin = {
  user: string
  userId: string
  pages: { id: string; name: string; access_token: string; tasks: string[] }[]
}

/** Consents and returns the code. */
export async function consentCode(fixture: NetworkFixture, query = '', asking = scopes): Promise<string> {
  const address = `www.facebook.com/v26.0/dialog/oauth?client_id=${app.id}&redirect_uri=${encodeURIComponent(back)}&state=s1&response_type=code&scope=${asking}&auto=approve${query}`
  const answer = await fixture.call('GET', address)
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
}

/** Exchanges a code for the short-lived user token. */
export async function shortToken(fixture: NetworkFixture, code: string): Promise<string> {
  const query = new URLSearchParams({ client_id: app.id, client_secret: app.secret, redirect_uri: back, code })
  const answer = await fixture.call('GET', `${graph}/oauth/access_token?${query.toString()}`)
  return String(answer.body['access_token'])
}

/** The whole OAuth flow: consent, code, long-lived user token, pages with their tokens. */
export async function connect(fixture: NetworkFixture, query = '', asking = scopes): Promise<FacebookLogin> {
  const short = await shortToken(fixture, await consentCode(fixture, query, asking))
  const exchange = new URLSearchParams({
    grant_type: 'fb_exchange_token',
    client_id: app.id,
    client_secret: app.secret,
    fb_exchange_token: short,
  })
  const user = String(
    (await fixture.call('GET', `${graph}/oauth/access_token?${exchange.toString()}`)).body['access_token'],
  )
  const me = await fixture.call('GET', `${graph}/me?access_token=${user}`)
  const accounts = await fixture.call(
    'GET',
    `${graph}/me/accounts?fields=id,name,access_token,tasks&access_token=${user}`,
  )
  return { user, userId: String(me.body['id']), pages: accounts.body['data'] as FacebookLogin['pages'] }
}
