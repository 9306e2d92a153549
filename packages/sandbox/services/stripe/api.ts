import { type Context, Hono } from 'hono'
import { StripeError, invalid, missing } from './errors.ts'
import { expanded } from './expand.ts'
import { parseForm } from './form.ts'
import { type Params, integerOf, refuseUnknown, textOf, textsOf } from './params.ts'
import { routes, type Route } from './routes.ts'
import { apiVersion, newId, type Account } from './state.ts'

/** Stripe's API below `/v1`, as the SDK uses it: form bodies in, JSON out, one version, idempotency keys. */
export function stripeApi(account: Account): Hono {
  const app = new Hono()
  app.all('/v1/*', async (c) => {
    const requestId = newId('req_', 14)
    c.header('request-id', requestId)
    c.header('stripe-version', apiVersion)
    try {
      return await answer(c, account)
    } catch (error) {
      const known =
        error instanceof StripeError ? error : new StripeError(500, 'api_error', 'An unknown error occurred')
      if (known !== error) console.error('sandbox stripe', error)
      return c.json(known.body(requestId), known.status as 400)
    }
  })
  return app
}

async function answer(c: Context, account: Account): Promise<Response> {
  const who = authenticate(c)
  checkVersion(c)
  const path = new URL(c.req.url).pathname
  const route = routes.find((one) => one.method === c.req.method && one.path.test(path))
  if (!route) {
    const words = `Unrecognized request URL (${c.req.method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`
    throw new StripeError(404, 'invalid_request_error', words)
  }
  const body = c.req.method === 'GET' ? '' : await c.req.text()
  const text = body || new URL(c.req.url).search.slice(1)
  if (
    c.req.method === 'POST' &&
    text &&
    !c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded')
  ) {
    throw invalid('The API accepts application/x-www-form-urlencoded bodies.')
  }
  const params = parseForm(text)
  if (!params)
    throw invalid('Invalid request (check that your POST content type is application/x-www-form-urlencoded).')
  const id = route.path.exec(path)?.[1] ?? ''
  const key = c.req.method === 'POST' ? c.req.header('idempotency-key') : undefined
  if (key === undefined) return send(c, 200, run(account, route, params, id))
  return runIdempotent(c, account, { key, who, path, text }, () => run(account, route, params, id))
}

function run(account: Account, route: Route, params: Params, id: string): string {
  refuseUnknown(params, route.params)
  const expand = textsOf(params, 'expand') ?? []
  const result = route.kind === 'one' ? route.run(account, params, id) : page(account, route, params, id)
  return JSON.stringify(expanded(account, result, expand), null, 2)
}

/** One page of a list, newest first. */
function page(account: Account, route: Route & { kind: 'many' }, params: Params, id: string) {
  const limit = integerOf(params, 'limit') ?? 10
  if (limit < 1 || limit > 100) throw invalid('Limit must be between 1 and 100', 'limit', 'parameter_invalid_integer')
  const newest = route.run(account, params, id).toReversed()
  const [after, before] = [textOf(params, 'starting_after'), textOf(params, 'ending_before')]
  if (after && before) throw invalid('You may only specify one of these parameters: starting_after, ending_before.')
  const edge = after ?? before
  const earlier = edge
    ? idsBefore(account, route, id, edge, after ? 'starting_after' : 'ending_before')
    : new Set<string>()
  const side = edge ? newest.filter((one) => one.id !== edge && earlier.has(one.id) === Boolean(after)) : newest
  const data = before ? side.slice(-limit) : side.slice(0, limit)
  return { object: 'list', data, has_more: side.length > limit, url: route.path.source.replaceAll(/[\^$\\]/g, '') }
}

/** The ids older than `edge` among all objects, since the edge itself need not match the filters of this list. */
function idsBefore(
  account: Account,
  route: Route & { kind: 'many' },
  id: string,
  edge: string,
  param: string,
): Set<string> {
  // The only list with a default filter, which omits canceled subscriptions.
  const everything: Params = route.path.test('/v1/subscriptions') ? { status: 'all' } : {}
  const all = route.run(account, everything, id).map((one) => one.id)
  const at = all.indexOf(edge)
  if (at < 0) throw missing('object', edge, param, 400)
  return new Set(all.slice(0, at))
}

/**
 * Runs a POST once per idempotency key and replays its outcome, card refusals included. Refusals of the parameters are
 * not stored, as at Stripe. Another request with the same key is an idempotency_error.
 */
function runIdempotent(
  c: Context,
  account: Account,
  ask: { key: string; who: string; path: string; text: string },
  work: () => string,
): Response {
  if (ask.key.length > 255) throw invalid('Idempotency keys can be at most 255 characters', 'idempotency-key')
  const slot = `${ask.who} ${ask.key}`
  const before = account.state.kept[slot]
  if (before) {
    if (before.path !== ask.path || before.params !== ask.text) {
      throw new StripeError(
        400,
        'idempotency_error',
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${ask.key}' if you meant to execute a different request.`,
      )
    }
    c.header('idempotent-replayed', 'true')
    return send(c, before.status, before.body)
  }
  const store = (status: number, body: string): Response => {
    account.state.kept[slot] = { path: ask.path, params: ask.text, status, body }
    return send(c, status, body)
  }
  c.header('idempotency-key', ask.key)
  try {
    return store(200, work())
  } catch (error) {
    if (error instanceof StripeError && error.kind === 'card_error')
      return store(error.status, JSON.stringify(error.body(newId('req_', 14))))
    throw error
  }
}

function send(c: Context, status: number, body: string): Response {
  return c.body(body, status as 200, { 'content-type': 'application/json' })
}

/** Accepts any key of the right format: there is one account. */
function authenticate(c: Context): string {
  const header = c.req.header('authorization') ?? ''
  const [scheme, value = ''] = header.split(' ')
  const key = scheme?.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString().split(':')[0]! : value
  if (!key) {
    throw new StripeError(
      401,
      'invalid_request_error',
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  if (!/^(sk|rk)_(test|live)_[A-Za-z0-9_]+$/.test(key)) {
    throw new StripeError(401, 'invalid_request_error', `Invalid API Key provided: ${key.slice(0, 8)}****`)
  }
  return key.slice(-8)
}

function checkVersion(c: Context): void {
  const asked = c.req.header('stripe-version')
  if (asked && asked !== apiVersion)
    throw invalid(`Invalid Stripe API version: ${asked}. This stand-in speaks ${apiVersion}.`)
}
