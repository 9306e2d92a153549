import type { Answer, NetworkFixture } from '../network-fixture.ts'

export const app = { id: '990011223355', secret: 'sandbox-instagram-secret' }
export const back = 'https://artist.example/api/social-connect/instagram/callback'
export const scopes = 'instagram_business_basic,instagram_business_content_publish'
export const graph = 'graph.instagram.com/v26.0'

export type InstagramLogin = { id: string; token: string }

/** Consents and returns the redirect address. */
export async function consent(fixture: NetworkFixture, query = ''): Promise<string> {
  const address = `www.instagram.com/oauth/authorize?client_id=${app.id}&redirect_uri=${encodeURIComponent(back)}&response_type=code&scope=${scopes}&state=s1&auto=approve${query}`
  return (await fixture.call('GET', address)).headers.get('location') ?? ''
}

export const codeOf = (location: string): string => new URL(location).searchParams.get('code') ?? ''

/** Exchanges a code for a short-lived token. */
export function exchange(fixture: NetworkFixture, code: string, form: Record<string, string> = {}): Promise<Answer> {
  const whole = {
    client_id: app.id,
    client_secret: app.secret,
    grant_type: 'authorization_code',
    redirect_uri: back,
    code,
    ...form,
  }
  return fixture.call('POST', 'api.instagram.com/oauth/access_token', { form: whole })
}

/** The whole OAuth flow: consent, code, long-lived token, account id. */
export async function connect(fixture: NetworkFixture, query = ''): Promise<InstagramLogin> {
  const short = (
    (await exchange(fixture, codeOf(await consent(fixture, query)))).body['data'] as { access_token: string }[]
  )[0]!.access_token
  const long = await fixture.call(
    'GET',
    `graph.instagram.com/access_token?grant_type=ig_exchange_token&client_secret=${app.secret}&access_token=${short}`,
  )
  const token = String(long.body['access_token'])
  const me = await fixture.call('GET', `${graph}/me?fields=user_id&access_token=${token}`)
  return { id: String(me.body['user_id']), token }
}
