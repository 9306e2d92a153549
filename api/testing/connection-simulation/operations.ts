import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { postTargets } from '@flashsheet/db/schema/posts'
import { eq } from 'drizzle-orm'
import { createHmac } from 'node:crypto'
import { ownerScope } from '../../core/scope.ts'
import { closeAccount } from '../../features/auth/service/purge.ts'
import type { Visitor } from '../actors.ts'
import { browserHeaders } from '../connect.ts'
import { control } from '../sandbox.ts'
import {
  type Account,
  type Actor,
  type Flow,
  flowMs,
  isShared,
  keyOf,
  type Login,
  logins,
  minute,
  personalInstagram,
  personsOf,
  type Post,
  refusalOf,
  type Run,
} from './model.ts'
import { type Callback, changePlan, networkState } from './world.ts'

export type Operation = { name: string; send: () => Promise<void> }
type Draw = (run: Run) => Operation | undefined

const living = (run: Run) => run.actors.filter(({ isGone }) => !isGone)
const drawAccount = ({ random }: Run, actor: Actor): Account | undefined =>
  actor.accounts.size > 0 ? random.pick([...actor.accounts.values()]) : undefined
const nameOf = (run: Run, actor: Actor) => `artist ${run.actors.indexOf(actor)}`

/** Begins a flow and lets the person decide; nothing reaches us yet. */
export async function beginFlow(run: Run, by: Actor, login: Login, whole = false): Promise<Flow | undefined> {
  const { random, world, check } = run
  const session = whole ? by.sessions[0]! : random.pick(by.sessions)
  const start = await session.fetch(`/api/social-connect/${login.platform}`, { headers: browserHeaders })
  const location = new URL(start.headers.get('location') ?? '/', world.app.url)
  const isOurs = location.origin === new URL(world.app.url).origin
  if (isOurs) {
    const isFull =
      by.accounts.size >= 5 && ![...by.accounts.values()].some((one) => one.login.platform === login.platform)
    check(!run.step.isStrict || !by.hasPlan || isFull, 'a flow was refused', location.search)
    return undefined
  }
  check(by.hasPlan || !run.step.isStrict, 'a flow began without a plan')
  const decision = whole
    ? 'all'
    : random.pick(['all', 'all', 'all', 'all', 'some', 'deny', 'decline', 'none', 'personal'])
  location.searchParams.set('auto', decision === 'deny' ? 'deny' : 'approve')
  location.searchParams.set(
    'as',
    decision === 'personal' && login.platform === 'instagram' ? personalInstagram : login.person,
  )
  let pages = [...login.pages]
  if (login.platform === 'facebook') {
    if (decision === 'some') pages = [random.pick(login.pages)]
    if (decision === 'none') pages = []
    location.searchParams.set('pages', pages.join(','))
    if (decision === 'decline') location.searchParams.set('decline', 'pages_manage_posts')
  }
  if (login.platform === 'instagram' && decision === 'decline')
    location.searchParams.set('decline', 'instagram_business_content_publish')
  const isGranting =
    decision !== 'deny' &&
    !(decision === 'decline' && ['facebook', 'instagram'].includes(login.platform)) &&
    !(decision === 'personal' && login.platform === 'instagram')
  const beganAt = run.now()
  // A fault may break the network's own page.
  const answer = await fetch(location, { redirect: 'manual', headers: browserHeaders }).catch(() => undefined)
  const redirect = answer?.headers.get('location')
  if (!redirect) return undefined
  const granted = isGranting ? [...pages, ...(login.always ?? [])] : []
  return { by, session, login, granted, beganAt, redirect, isUsed: false }
}

/** A redirect of a network reaches us, from one of the artists' browsers. */
export async function finishFlow(run: Run, flow: Flow, by: Actor, session: Visitor): Promise<void> {
  const { check, step, world } = run
  const refusal = refusalOf(run, flow, by, session)
  const hadPlan = by.hasPlan
  const grantsBefore = grantsOf(run, flow.login)
  const answer = await session.fetch(flow.redirect, { headers: browserHeaders })
  const end = new URL(answer.headers.get('location') ?? '/none', world.app.url)
  check(
    answer.status === 302 && ['/social-accounts', '/login'].includes(end.pathname),
    'a redirect',
    answer.status,
    end,
  )
  const isConnected = end.searchParams.get('connected') !== null
  const message = end.searchParams.get('error')
  run.log(`  → ${isConnected ? 'connected' : message}`)
  if (isConnected) {
    check(
      refusal !== 'ours' || hadPlan !== by.hasPlan || (!step.isStrict && flow.isUsed),
      'connected a flow that must not connect',
    )
    check(refusal !== 'limit' || !step.isStrict, 'connected a sixth account')
    step.connected.push({ by, login: flow.login, granted: flow.granted })
  } else if (step.isStrict) {
    check(refusal !== undefined, 'a good flow connected nothing', message)
    check((refusal === 'limit') === (message === socialMessages.limit), 'another reason', refusal, message)
  }
  if (step.isStrict && refusal === 'limit' && !isShared(run, flow.login, by)) {
    const left = grantsOf(run, flow.login).filter((id) => !grantsBefore.includes(id))
    check(left.length === 0, 'the permission of a sixth account was not revoked', left)
  }
  if (flow.by === by && flow.session === session && hadPlan) flow.isUsed = true
}

/** The permissions of a person that are not revoked, where the network has any call to revoke them. */
function grantsOf(run: Run, { platform, person }: Login): string[] {
  if (platform === 'instagram') return []
  const grants = networkState(run.world)[platform === 'youtube' ? 'google' : platform]?.['grants'] ?? {}
  return Object.entries(grants).flatMap(([id, one]) =>
    one['revoked'] !== true && Object.values(one).includes(person) ? id : [],
  )
}

const begin: Draw = (run) => {
  const by = run.random.pick(living(run))
  const login = run.random.pick(logins)
  return {
    name: `${nameOf(run, by)} begins ${keyOf(login)}`,
    send: async () => {
      const flow = await beginFlow(run, by, login)
      if (flow) run.flows.push(flow)
    },
  }
}

/** The usual way: begins, decides and returns at once. */
const connect: Draw = (run) => {
  const by = run.random.oneIn(3) ? run.random.pick(living(run)) : living(run)[0]!
  const again = drawAccount(run, by)?.login
  const login = again && run.random.oneIn(2) ? again : run.random.pick(logins)
  return {
    name: `${nameOf(run, by)} connects ${keyOf(login)}`,
    send: async () => {
      const flow = await beginFlow(run, by, login)
      if (!flow) return
      run.flows.push(flow)
      await finishFlow(run, flow, by, flow.session)
    },
  }
}

const finish: Draw = (run) => {
  if (run.flows.length === 0) return undefined
  const waiting = run.flows.filter(({ isUsed, beganAt }) => !isUsed && run.now() - beganAt < flowMs)
  const flow = run.random.pick(waiting.length > 0 && !run.random.oneIn(4) ? waiting : run.flows.slice(-6))
  const by = run.random.oneIn(4) ? run.random.pick(run.actors) : flow.by
  const session = by === flow.by && !run.random.oneIn(3) ? flow.session : run.random.pick(by.sessions)
  return {
    name: `${nameOf(run, by)} returns from ${keyOf(flow.login)}, begun by ${nameOf(run, flow.by)}`,
    send: async () => await finishFlow(run, flow, by, session),
  }
}

/** Of one's own account, or of another artist's. */
function drawTarget(run: Run): { by: Actor; owner: Actor; account: Account } | undefined {
  const owner = run.random.pick(living(run))
  const planned = run.posts.filter((one) => one.by === owner).map(({ key }) => owner.accounts.get(key))
  const account = run.random.oneIn(2) ? drawAccount(run, owner) : planned.at(-1)
  if (!account) return undefined
  return { by: run.random.oneIn(6) ? run.random.pick(run.actors) : owner, owner, account }
}

/** Whether a request is accepted; only a strict step knows whether the plan was running when it arrived. */
const accepts = ({ step }: Run, { by, owner }: { by: Actor; owner: Actor }) =>
  by === owner && (by.hasPlan || !step.isStrict) && !by.isGone

/** The posts that a disconnection cancels now, because they have not begun. */
async function plannedFor(run: Run, account: Account, pageId?: string): Promise<Post[]> {
  if (run.step.hasJobs) return []
  const { db } = run.world.app.client
  const targets = await db.select().from(postTargets).where(eq(postTargets.accountId, account.id))
  const texts = targets.filter(({ phase }) => phase === 'scheduled').map(({ message }) => message)
  return run.posts.filter((one) => texts.includes(one.text) && (pageId === undefined || one.pageId === pageId))
}

const disconnect: Draw = (run) => {
  const drawn = drawTarget(run)
  if (!drawn) return undefined
  const { by, account } = drawn
  const key = keyOf(account.login)
  const pageId = run.random.oneIn(2) ? run.random.pick(account.pages) : undefined
  return {
    name: `${nameOf(run, by)} disconnects ${key} ${pageId ?? ''} of ${nameOf(run, drawn.owner)}`,
    send: async () => {
      const planned = await plannedFor(run, account, pageId)
      const address = `/api/social-accounts/${account.id}${pageId === undefined ? '' : `/pages/${pageId}`}`
      const { status } = await run.random.pick(by.sessions).delete(address)
      if (status === 200) {
        run.check(accepts(run, drawn), 'somebody else disconnected an account')
        const isLast = pageId === undefined || (run.step.isStrict && account.pages.length === 1)
        run.step.removed.push({ by, key, ...(isLast ? {} : { pageId }) })
        for (const one of planned) one.isCancelled = true
      } else {
        run.check(!run.step.isStrict || !accepts(run, drawn), 'an account could not be disconnected', status)
        run.check([401, 403, 404].includes(status), 'a disconnection answered', status)
      }
    },
  }
}

const refresh: Draw = (run) => {
  const drawn = drawTarget(run)
  if (!drawn) return undefined
  return {
    name: `${nameOf(run, drawn.by)} refreshes ${keyOf(drawn.account.login)} of ${nameOf(run, drawn.owner)}`,
    send: async () => await refreshNow(run, drawn.by, drawn.account, accepts(run, drawn)),
  }
}

export async function refreshNow(run: Run, by: Actor, account: Account, isOwn: boolean): Promise<void> {
  const answer = await run.random
    .pick(by.sessions)
    .put<SocialAccount & { reconnectUrl?: string }>(`/api/social-accounts/${account.id}/token`)
  run.log(`  → ${answer.status}`)
  if (!isOwn) return run.check([401, 403, 404].includes(answer.status), "another artist's token", answer.status)
  run.check([200, 403, 409, 404, 502, 503].includes(answer.status), 'a refresh answered', answer.status)
  if (!run.step.isStrict) return
  if (!by.hasPlan) return run.check(answer.status === 403, 'a refresh without a plan', answer.status)
  const worth = run.step.before.find((row) => row.id === account.id)?.worth.works
  run.check(answer.status === (worth === 'yes' ? 200 : 409), 'a refresh of', worth, answer.status, answer.body)
  if (answer.status === 200) run.check(answer.body.health === 'ok', 'a refreshed account', answer.body.health)
  else run.check(Boolean(answer.body.reconnectUrl), 'a 409 without the address')
}

let count = 0
const post: Draw = (run) => {
  const drawn = drawTarget(run)
  if (!drawn) return undefined
  const { by, account } = drawn
  const { platform } = account.login
  const pageId = run.random.pick(account.pages)
  const text = `sim ${++count} for ${pageId}`
  const requestId = `sim-${run.now()}-${count}`
  const ahead = run.random.pick([0, 6 * minute, 3 * 60 * minute, 30 * 60 * minute])
  const isVideo = platform === 'tiktok' || platform === 'youtube'
  const options = platform === 'tiktok' ? { options: { tiktok: { privacyLevel: 'SELF_ONLY' } } } : {}
  const variants = [{ platform, socialAccountId: account.id, pageId, title: text, message: text, ...options }]
  return {
    name: `${nameOf(run, by)} posts "${text}" in ${ahead / minute} min to ${keyOf(account.login)}`,
    send: async () => {
      const content = { requestId, mediaIds: [isVideo ? by.video : by.image], variants, timeZone: 'UTC' }
      const scheduledAt = new Date(run.now() + ahead).toISOString()
      const { status, body } = await (ahead === 0
        ? by.sessions[0]!.post('/api/posts', content)
        : by.sessions[0]!.post('/api/posts/schedule', { ...content, scheduledAt }))
      run.log(`  → ${status}`)
      if (status === 201 || status === 202) {
        run.check(accepts(run, drawn), "a post to another artist's page")
        if (run.posts.some((one) => one.text === text)) return
        run.posts.push({
          text,
          by,
          key: keyOf(account.login),
          accountId: account.id,
          pageId,
          isCancelled: false,
          mayVanish: false,
        })
      } else if (accepts(run, drawn) && run.step.isStrict) {
        const row = run.step.before.find(({ id }) => id === account.id)
        run.check(row?.health === 'reconnect', 'a post was refused', status, body)
      }
    },
  }
}

/** The networks with callbacks. */
const callers: readonly string[] = ['facebook', 'instagram', 'tiktok']

/** A person acts at a network: removes the app there, or requests the deletion of their data. */
const atNetwork: Draw = (run) => {
  const connected = run.actors.flatMap(({ accounts }) => [...accounts.values()].map(({ login: one }) => one))
  const calling = [...logins, ...connected, ...connected].filter(({ platform }) => callers.includes(platform))
  const login = run.random.pick(calling)
  const kind = login.platform !== 'tiktok' && run.random.oneIn(3) ? 'data-deletion' : 'deauthorize'
  return {
    name: `the person of ${keyOf(login)}: ${kind}`,
    send: async () => {
      const body = { platform: login.platform, kind, userId: login.person }
      await control(run.world.app, 'POST', '/callbacks', body).catch(() => undefined)
    },
  }
}

const deliver: Draw = (run) => {
  const { callbacks } = run.world
  if (callbacks.length === 0) return undefined
  const callback = run.random.pick(callbacks.slice(-4))
  return { name: `${callback.path} arrives`, send: async () => await deliverCallback(run, callback) }
}

const paths = { metaDeauthorize: 'meta/deauthorize', metaDeletion: 'meta/data-deletion', tiktok: 'tiktok' }

async function deliverCallback(run: Run, { path, body, at: happenedAt }: Callback): Promise<void> {
  const { app } = run.world
  const isForged = run.random.oneIn(6)
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  let sent =
    isForged && path !== 'tiktok' ? body.replace(/=(.)/, (_all, one: string) => `=${one === 'A' ? 'B' : 'A'}`) : body
  if (path === 'tiktok') {
    // TikTok signs each delivery anew.
    const at = Math.floor(Date.now() / 1000)
    const secret = isForged ? 'another' : (app.running.config.networks.tiktok?.clientSecret ?? '')
    headers['content-type'] = 'application/json'
    headers['tiktok-signature'] = `t=${at},s=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
    sent = body
  }
  const answer = await fetch(`${app.url}/api/webhooks/${paths[path]}`, { method: 'POST', body: sent, headers })
  run.check(answer.status === (isForged ? 400 : 200), 'a callback answered', answer.status, isForged)
  if (isForged) return
  if (path !== 'metaDeletion') {
    const keys =
      path === 'tiktok' ? [`tiktok ${(JSON.parse(body) as { user_openid: string }).user_openid}`] : personsOf(body)
    return void run.step.revoked.push(...keys.map((key) => ({ key, at: happenedAt })))
  }
  const { confirmation_code: code } = (await answer.json()) as { confirmation_code: string }
  const known = run.deletions.get(body)
  run.check(known === undefined || known === code, 'a repeated request has another code')
  if (known === undefined) for (const key of personsOf(body)) removeEverywhere(run, key)
  run.deletions.set(body, code)
}

function removeEverywhere(run: Run, key: string): void {
  for (const by of run.actors) if (by.accounts.has(key)) run.step.removed.push({ by, key })
}

const changesPlan: Draw = (run) => {
  if (!run.random.oneIn(3)) return undefined
  const by = run.random.pick(living(run))
  return {
    name: `${nameOf(run, by)}: plan ${by.hasPlan ? 'ends' : 'begins'}`,
    send: async () => {
      const hasPlan = !by.hasPlan
      await changePlan(run.world, by.artist.id, hasPlan)
      by.hasPlan = hasPlan
      if (hasPlan) by.withoutPlan.at(-1)!.to = run.now()
      else by.withoutPlan.push({ from: run.now(), to: Infinity })
    },
  }
}

/** Staff delete an artist, who may be connecting an account at this moment. */
const deleted: Draw = (run) => {
  const [by, ...others] = living(run)
  if (!by || others.length === 0 || !run.random.oneIn(10)) return undefined
  const flow = run.flows.findLast((one) => one.by === by && !one.isUsed)
  return {
    name: `${nameOf(run, by)} is deleted by staff${flow ? ` while connecting ${keyOf(flow.login)}` : ''}`,
    send: async () => {
      run.step.isStrict = false
      const { system } = run.world.workers[0]!
      const close = system.db.transaction(async (tx) => await closeAccount(system, tx, ownerScope(by.artist.id)))
      await Promise.all([close, ...(flow ? [finishFlow(run, flow, by, flow.session)] : [])])
      by.isGone = true
    },
  }
}

const draws: readonly (readonly [weight: number, draw: Draw])[] = [
  [3, begin],
  [4, connect],
  [3, finish],
  [2, disconnect],
  [2, refresh],
  [3, post],
  [2, atNetwork],
  [3, deliver],
  [1, changesPlan],
  [1, deleted],
]
const lot = draws.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw))

/** `isEarly`: the artists begin with some accounts. */
export function randomOperation(run: Run, isEarly: boolean): Operation {
  for (;;) {
    const operation = run.random.pick(isEarly && run.random.oneIn(2) ? [connect] : lot)(run)
    if (operation) return operation
  }
}
