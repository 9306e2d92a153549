import { createHash } from 'node:crypto'
import { callback, consentRequestOf } from '../oauth-assistant.ts'
import { day, hour } from './access.ts'
import { bind, call, fresh, type Make, mostly, often, rest, type Run, userOf, valueOf } from './world.ts'

const connectedSubject = 'An assistant was connected to your account'

const createKey: Make = (run, browser) => {
  const expiresAt = run.random.pick([null, run.now + hour, run.now + 20 * day])
  const input = { name: 'Key', scopes: ['posts:read'], expiresAt: expiresAt && new Date(expiresAt).toISOString() }
  return {
    name: 'creates a key',
    act: (m, c) => m.createKey(c.session, `key ${c.nth}`, expiresAt),
    send: async (c) => {
      const { text, data } = await rest(run, browser, 'POST', '/api/keys', input)
      const made = data as { key?: string; _id?: string }
      if (made.key) bind(run, `key ${c.nth}`, made.key)
      if (made._id) bind(run, `id of key ${c.nth}`, made._id)
      return text
    },
  }
}
const revokeKey: Make = (run, browser) => {
  const user = userOf(run, browser)?.key
  const key = mostly(run, run.state.keys, (one) => one.user === user)?.key
  if (!key) return undefined
  return {
    name: `revokes ${key}`,
    act: (m, c) => m.revokeKey(c.session, key),
    send: async () => (await rest(run, browser, 'DELETE', `/api/keys/${valueOf(run, `id of ${key}`)}`)).text,
  }
}

const verifierOf = (code: string) => createHash('sha256').update(code).digest('base64url')
async function form(run: Run, path: string, fields: Record<string, string>) {
  const response = await run.app.visitor().fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
  const body = (await response.json()) as Record<string, string>
  return { text: response.status >= 500 ? `${response.status} ${JSON.stringify(body)}` : String(response.status), body }
}

const registerClient: Make = (run, browser) => {
  if (run.state.clients.length > 0 && !run.random.oneIn(6)) return undefined
  return {
    name: 'registers a client',
    act: (m, c) => {
      m.s.clients.push({ key: `client ${c.nth}`, at: m.now })
      return '201'
    },
    send: async (c) => {
      const input = { client_name: 'Quill', redirect_uris: [callback] }
      const { text, data } = await rest(run, browser, 'POST', '/oauth/register', input)
      bind(run, `client ${c.nth}`, (data as { client_id: string }).client_id)
      return text
    },
  }
}
/** A client, sometimes one that was deleted. */
const anyClient = (run: Run) =>
  mostly(
    run,
    [...run.values.keys()].filter((key) => key.startsWith('client ')),
    (key) => run.state.clients.some((one) => one.key === key),
  )
const consent: Make = async (run, browser) => {
  const client = anyClient(run)
  if (!client) return undefined
  const verifier = fresh(run, 'verifier')
  const request = await consentRequestOf(run.app.visitor(), {
    response_type: 'code',
    client_id: valueOf(run, client),
    redirect_uri: callback,
    code_challenge: createHash('sha256').update(verifierOf(verifier)).digest('base64url'),
    code_challenge_method: 'S256',
    scope: 'accounts:read',
  })
  return {
    name: `consents to ${client}`,
    act: (m, c) => m.consent(c.session, client, `code ${c.nth} ${verifier}`),
    send: async (c) => {
      const { text, data } = await call(run, browser, 'assistants.giveConsent', { request })
      const back = (data as { backTo?: string } | undefined)?.backTo
      if (back) bind(run, `code ${c.nth} ${verifier}`, new URL(back).searchParams.get('code') ?? '')
      return text
    },
  }
}
const bindTokens = (run: Run, key: string, body: Record<string, string>) => {
  if (body['access_token']) bind(run, `${key} access`, body['access_token'])
  if (body['refresh_token']) bind(run, `${key} refresh`, body['refresh_token'])
}
export const exchange: Make = (run) => {
  const codes = [...run.values.keys()].filter((key) => key.startsWith('code '))
  const { oneIn } = run.random
  const key = mostly(run, codes, (one) => run.state.codes.some((code) => code.key === one && code.expiresAt > run.now))
  if (!key) return undefined
  const known = run.state.codes.find((one) => one.key === key)
  const client = (oneIn(8) ? undefined : known?.client) ?? anyClient(run) ?? ''
  const isRight = !oneIn(8)
  return {
    name: `${client} exchanges ${key}`,
    act: (m, c) => m.exchange(key, client, isRight, connectedSubject, `grant ${c.nth}`),
    send: async (c) => {
      const { text, body } = await form(run, '/oauth/token', {
        grant_type: 'authorization_code',
        code: valueOf(run, key),
        client_id: valueOf(run, client),
        redirect_uri: callback,
        code_verifier: isRight ? verifierOf(key.slice(key.indexOf('verifier'))) : verifierOf('another'),
      })
      bindTokens(run, `grant ${c.nth}`, body)
      return text
    },
  }
}
const clientOf = (run: Run, token: string) => {
  const grant = run.state.tokens.find((one) => one.key === token)?.grant
  return run.state.grants.find((one) => one.key === grant)?.client ?? anyClient(run) ?? ''
}
export const refresh: Make = (run) => {
  const tokens = [...run.values.keys()].filter((key) => key.endsWith(' refresh'))
  const token = mostly(run, tokens, (key) => run.state.tokens.some((one) => one.key === key))
  if (!token) return undefined
  const client = clientOf(run, token)
  return {
    name: `refreshes ${token}`,
    act: (m, c) => m.refresh(token, client, `refreshed ${c.nth}`),
    send: async (c) => {
      const fields = {
        grant_type: 'refresh_token',
        refresh_token: valueOf(run, token),
        client_id: valueOf(run, client),
      }
      const { text, body } = await form(run, '/oauth/token', fields)
      bindTokens(run, `refreshed ${c.nth}`, body)
      return text
    },
  }
}
const revokeToken: Make = (run) => {
  const tokens = run.state.tokens.map((one) => one.key)
  if (tokens.length === 0) return undefined
  const token = run.random.pick(tokens)
  const client = clientOf(run, token)
  return {
    name: `revokes ${token}`,
    act: (m) => m.revokeToken(token, client),
    send: async () =>
      (await form(run, '/oauth/revoke', { token: valueOf(run, token), client_id: valueOf(run, client) })).text,
  }
}
const disconnect: Make = async (run, browser) => {
  const user = userOf(run, browser)?.key
  const key = mostly(run, run.state.grants, (one) => one.user === user)?.key
  if (!key) return undefined
  const id = await grantId(run, key)
  return {
    name: `disconnects ${key}`,
    act: (m, c) => m.disconnect(c.session, key),
    send: async () => (await call(run, browser, 'assistants.disconnect', { id })).text,
  }
}
async function grantId({ app: { client }, values, state }: Run, key: string): Promise<string> {
  const tokens = state.tokens.filter((one) => one.grant === key).map((one) => values.get(one.key) ?? '')
  const hashes = tokens.map((one) => createHash('sha256').update(one).digest('hex'))
  const [row] = await client.sql`select grant_id from assistant_tokens where hash = any(${hashes})`
  return (row?.['grant_id'] as string | undefined) ?? '01900000-0000-7000-8000-000000000000'
}

export const programs: Make[] = [
  ...often(createKey, consent, exchange, refresh),
  revokeKey,
  registerClient,
  revokeToken,
  disconnect,
]
