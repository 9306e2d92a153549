import {
  Client,
  StreamableHTTPClientTransport,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { ConsentParams } from '@flashsheet/contracts/assistants/schema'
import { createHash, randomBytes } from 'node:crypto'
import type { Artist, Visitor } from './actors.ts'
import type { TestApp } from './app.ts'

export const callback = 'http://localhost:33418/callback'

/** The query parameters of the consent screen's address. */
export const consentParams = (address: URL): ConsentParams =>
  ConsentParams.parse(Object.fromEntries(address.searchParams))

/** Follows an authorization address in a browser; returns the `request` that the consent screen gets. */
async function requestOf(visitor: Visitor, address: URL): Promise<string> {
  const answer = await visitor.fetch(address.pathname + address.search)
  const screen = new URL(answer.headers.get('location') ?? '', address)
  if (answer.status !== 302 || screen.pathname !== '/connect-assistant') throw new Error(`redirected to ${screen.href}`)
  return screen.searchParams.get('request') ?? ''
}

/** The same for an authorization address with these parameters. */
export const consentRequestOf = async (visitor: Visitor, params: Record<string, string>): Promise<string> =>
  await requestOf(visitor, new URL(`http://localhost/oauth/authorize?${new URLSearchParams(params).toString()}`))

/** Lists the tools at /mcp with an access token, to see whether it works. */
export const listTools = async (app: Pick<TestApp, 'visitor'>, token: string) =>
  await app
    .visitor()
    .post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      { accept: 'application/json, text/event-stream', authorization: `Bearer ${token}` },
    )

/** An assistant by the official client package that gets its tokens by the artist's consent. */
export async function connectByConsent(
  app: Pick<TestApp, 'url'>,
  artist: Artist,
  { clientMetadataUrl }: { clientMetadataUrl?: string } = {},
) {
  let consentScreen: URL | undefined
  let client: StoredOAuthClientInformation | undefined
  let tokens: StoredOAuthTokens | undefined
  let verifier = ''
  let discovered: OAuthDiscoveryState | undefined
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    clientMetadata: { client_name: 'Quill', redirect_uris: [callback], token_endpoint_auth_method: 'none' },
    state: () => 'of the assistant',
    clientInformation: () => client,
    saveClientInformation: (given) => void (client = given),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    redirectToAuthorization: (address) => void (consentScreen = address),
    discoveryState: () => discovered,
    saveDiscoveryState: (found) => void (discovered = found),
    saveCodeVerifier: (made) => void (verifier = made),
    codeVerifier: () => verifier,
  }
  const transportOf = () => new StreamableHTTPClientTransport(new URL('/mcp', app.url), { authProvider: provider })
  const first = transportOf()
  const refusal = await new Client({ name: 'quill', version: '1.0.0' }).connect(first).catch((error: unknown) => error)
  if (!consentScreen) throw new Error('the assistant was not sent to a consent screen', { cause: refusal })
  const { backTo } = await artist.trpc.assistants.giveConsent.mutate({
    request: await requestOf(artist, consentScreen),
  })
  await first.finishAuth(new URL(backTo).searchParams)
  const connected = new Client({ name: 'quill', version: '1.0.0' })
  await connected.connect(transportOf())
  return {
    client: connected,
    consentScreen,
    backTo: new URL(backTo),
    tokens: () => tokens,
    /** Replaces the access token by an invalid one, as if it had expired. */
    invalidateAccessToken: () => {
      if (tokens) tokens = { ...tokens, access_token: 'fsa_expired' }
    },
  }
}

/** A registered program whose steps of the OAuth flow a test runs one by one. */
export async function registerProgram(program: Visitor, redirectUri = callback) {
  const registered = await program.post<{ client_id: string }>('/oauth/register', {
    client_name: 'Quill',
    redirect_uris: [redirectUri],
  })
  const verifier = randomBytes(32).toString('base64url')
  const params = ConsentParams.parse({
    response_type: 'code',
    client_id: registered.body.client_id,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    scope: 'posts:read',
    state: 'x',
  })
  const form = async (path: string, fields: Record<string, string>) =>
    await program.post<Record<string, string>>(path, new URLSearchParams(fields).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
  const clientId = registered.body.client_id
  return {
    clientId,
    params,
    consent: async (artist: Artist) =>
      new URL(
        (await artist.trpc.assistants.giveConsent.mutate({ request: await consentRequestOf(program, params) })).backTo,
      ).searchParams.get('code') ?? '',
    exchange: async (code: string, other: Record<string, string> = {}) =>
      await form('/oauth/token', {
        grant_type: 'authorization_code',
        code,
        client_id: clientId,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...other,
      }),
    refresh: async (token: string, other: Record<string, string> = {}) =>
      await form('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: clientId, ...other }),
    revoke: async (token: string) => await form('/oauth/revoke', { token, client_id: clientId }),
  }
}
